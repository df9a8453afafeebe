package io.warpcodec.device;

/**
 * What a device says about itself.
 *
 * @param ordinal the driver's number for it, from 0, after {@code CUDA_VISIBLE_DEVICES}
 * @param name marketing name
 * @param computeMajor compute capability before the dot
 * @param computeMinor compute capability behind the dot
 * @param memoryBytes device memory in all
 * @param multiprocessorCount number of multiprocessors
 * @param busId PCI address, such as {@code 0000:65:00.0}
 */
public record DeviceInfo(
        int ordinal,
        String name,
        int computeMajor,
        int computeMinor,
        long memoryBytes,
        int multiprocessorCount,
        String busId) {

    /** Compute capability, such as {@code 9.0}. */
    public String computeCapability() {
        return computeMajor + "." + computeMinor;
    }
}
