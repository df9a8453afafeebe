/**
 * Checksum arithmetic that several formats share: joining the checksums of two parts into that of the whole, without the bytes.
 */
package io.warpcodec.format.checksum;
