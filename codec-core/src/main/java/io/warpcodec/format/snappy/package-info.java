/**
 * The two containers of raw Snappy blocks: Hadoop's framing, and snappy-java's, in Spark's streams. Neither says what
 * it is, so none is recognised by its bytes. Wire layout: {@code docs/format/snappy.md}.
 */
package io.warpcodec.format.snappy;
