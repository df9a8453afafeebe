/**
 * LZ4 in its three containers, by lz4-java.
 */
package io.warpcodec.engine.cpu.lz4;
