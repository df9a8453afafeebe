/**
 * CRC-32, XXH32 and XXH64 of ranges that lie in device memory.
 */
package io.warpcodec.engine.gpu.checksum;
