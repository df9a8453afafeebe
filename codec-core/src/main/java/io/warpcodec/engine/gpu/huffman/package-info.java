/**
 * Huffman codes on devices, stage by stage: code lengths, decoding by self-synchronisation, encoding. No format uses these launchers yet; the kernels of DEFLATE share their
 * device code.
 */
package io.warpcodec.engine.gpu.huffman;
