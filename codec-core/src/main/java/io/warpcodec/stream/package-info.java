/**
 * Streams over chunks: read-ahead, order, back pressure, bounded memory. One machine serves streams and bare coders.
 */
package io.warpcodec.stream;
