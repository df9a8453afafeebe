/** Splits of zstd's seekable format, by the seek table at the end of a file. */
package io.warpcodec.stream.seektable;
