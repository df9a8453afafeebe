package io.warpcodec.device.driver;

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
 * @param uuid the name that stays, such as {@code GPU-5f2a...}
 */
public record DeviceInfo(
        int ordinal,
        String name,
        int computeMajor,
        int computeMinor,
        long memoryBytes,
        int multiprocessorCount,
        String busId,
        String uuid) {

    /** {@code GPU-} alone means every device. */
    private static final int LEAST_UUID_PREFIX = 4;

    /** Compute capability, such as {@code 9.0}. */
    public String computeCapability() {
        return computeMajor + "." + computeMinor;
    }

    /**
     * Whether a scheduler means this device: by ordinal, by UUID or the start of one ({@code GPU-5f2a}), or by PCI
     * address.
     */
    public boolean hasAddress(String address) {
        String wanted = address.trim();
        return wanted.equals(Integer.toString(ordinal))
                || wanted.equalsIgnoreCase(busId)
                || wanted.length() > LEAST_UUID_PREFIX && uuid.regionMatches(true, 0, wanted, 0, wanted.length());
    }
}
