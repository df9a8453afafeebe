/**
 * bzip2 blocks, by code of our own.
 */
package io.warpcodec.engine.cpu.bzip2;
