/**
 * The three containers of LZ4 blocks: LZ4 frames, with a skippable frame of ours before each frame of ours; Hadoop's
 * framing; and lz4-java's blocks, in Spark's streams. A scanner tells frames and Hadoop's framing apart by the first
 * bytes of a file. Wire layout: {@code docs/format/lz4.md}.
 */
package io.warpcodec.format.lz4;
