/** Streams over chunks: read-ahead, order, back pressure, bounded memory. The same machine serves streams and bare coders. */
package io.warpcodec.stream;
