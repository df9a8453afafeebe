/**
 * Checksums that several formats use: the checksum of a whole from those of its parts, without the bytes (CRC-32,
 * Adler-32); XXH32; and bzip2's CRC, which turns bits round.
 */
package io.warpcodec.format.checksum;
