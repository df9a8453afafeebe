/**
 * What formats made of blocks share: plans and layouts of chunks, the tables that kernels read and write, and the
 * program that runs the blocks of many tasks in one wave.
 */
package io.warpcodec.engine.gpu.block;
