/**
 * The quick benchmark behind {@code warpcodec bench}: is it faster for <em>my</em> file? Our streams and the
 * libraries' own, side by side in one process on the same bytes. The committed figures come from the JMH benchmarks,
 * not from here.
 */
package io.warpcodec.cli.bench;
