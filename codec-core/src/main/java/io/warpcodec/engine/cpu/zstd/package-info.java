/**
 * Zstandard frames, by zstd-jni.
 */
package io.warpcodec.engine.cpu.zstd;
