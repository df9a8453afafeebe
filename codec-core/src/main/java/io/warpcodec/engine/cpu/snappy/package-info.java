/**
 * Snappy in its two containers, by snappy-java.
 */
package io.warpcodec.engine.cpu.snappy;
