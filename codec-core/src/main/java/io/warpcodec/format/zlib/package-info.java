/**
 * zlib streams (RFC 1950), the content of {@code .deflate} files. Chunks end with a sync flush and carry nothing of
 * ours, so that such a file neither splits nor decodes by chunks.
 */
package io.warpcodec.format.zlib;
