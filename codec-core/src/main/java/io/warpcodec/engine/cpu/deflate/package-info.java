/**
 * gzip members and zlib streams, by the zlib of the JDK; and the index scan, by a decoder of our own, because zlib
 * does not say where blocks begin.
 */
package io.warpcodec.engine.cpu.deflate;
