package io.warpcodec.format.bzip2;

import io.warpcodec.format.UnitDetail;

/**
 * Where in its bytes a bzip2 block lies: what the scanner tells the engine.
 *
 * @param bitOffset first bit of BLOCK_MAGIC in the chunk, 0 the most significant bit of byte 0; behind the file's
 *     header in the first block of a file, 0 to 7 in all others
 * @param bitLength length of the block with its magic, in bits
 * @param level 1 to 9 bounds the block's size; 9 where the header was not seen
 * @param exact whether the end was found by walking the block's symbols; else it is where the next magic stands,
 *     which may be there by chance
 */
public record Bzip2Block(int bitOffset, int bitLength, int level, boolean exact) implements UnitDetail {}
