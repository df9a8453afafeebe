/**
 * Zstandard frames (RFC 8878). A frame of ours has a skippable frame before it, which names its size, and is a chunk;
 * so is a foreign frame whose end is near. Headers of frames and blocks are parsed here, so that what is accepted
 * does not depend on a library's version. Wire layout: {@code docs/format/zstd.md}.
 */
package io.warpcodec.format.zstd;
