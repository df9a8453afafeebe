package io.warpcodec.cli.bench;

/**
 * One contestant on one file.
 *
 * @param file the file's name
 * @param contestant who
 * @param suffix the format
 * @param threads threads that each worked on a copy of their own
 * @param rawBytes size of the file, or of the part of it that was used
 * @param compressedBytes what became of it
 * @param compressMegabytesPerSecond raw bytes of all threads, in 10^6 bytes a second
 * @param decompressMegabytesPerSecond the same, of decoding
 */
public record Measurement(
        String file,
        String contestant,
        String suffix,
        int threads,
        long rawBytes,
        long compressedBytes,
        double compressMegabytesPerSecond,
        double decompressMegabytesPerSecond) {

    /** Raw over compressed size. */
    public double ratio() {
        return (double) rawBytes / compressedBytes;
    }
}
