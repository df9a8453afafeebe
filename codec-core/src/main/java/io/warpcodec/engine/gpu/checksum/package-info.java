/**
 * CRC-32 and XXH32 of ranges that lie in device memory.
 */
package io.warpcodec.engine.gpu.checksum;
