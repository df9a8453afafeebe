package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;

/** {@code sort.cu}: entry names, and the constants of both sides. Thread-safe. */
final class SortKernels implements AutoCloseable {
    static final int ABI = 1;
    /** Keys that a cta counts and moves. */
    static final int TILE_KEYS = 4096;

    static final int SEGMENT_BYTES = 16;
    private static final int CTA_THREADS = 256;
    private static final int SCAN_CTA_THREADS = 512;

    /** {@code SortBatch} of {@code sort_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("keys")
            .pointer("sorted_keys")
            .pointer("segments")
            .pointer("tile_segments")
            .pointer("counts")
            .pointer("histograms")
            .int32("key_count")
            .int32("segment_capacity")
            .int32("tile_capacity")
            .int32("shift");

    static final KernelContract CONTRACT = KernelContract.named("sort", ABI)
            .constant("wide_digit_bits", Digit.WIDE.bits)
            .constant("narrow_digit_bits", Digit.NARROW.bits)
            .constant("tile_keys", TILE_KEYS)
            .constant("cta_threads", CTA_THREADS)
            .constant("scan_cta_threads", SCAN_CTA_THREADS)
            .constant("segment_bytes", SEGMENT_BYTES)
            .constant("counts_bytes", 2 * Integer.BYTES)
            .taking(LAYOUT);

    /** The bits of a key that a pass sorts by. */
    enum Digit {
        WIDE(9),
        NARROW(7);

        final int bits;

        Digit(int bits) {
            this.bits = bits;
        }

        /** Passes that sort keys by so many bits. */
        int passes(int keyBits) {
            return (keyBits + bits - 1) / bits;
        }
    }

    /** The three kernels of a pass. */
    private record Pass(KernelFunction count, KernelFunction scan, KernelFunction scatter) {}

    private final KernelModule module;
    private final Pass wide;
    private final Pass narrow;

    private SortKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.wide = pass(module, "wide");
        this.narrow = pass(module, "narrow");
    }

    private static Pass pass(KernelModule module, String digit) throws DeviceException {
        return new Pass(
                module.function("sort_count_" + digit),
                module.function("sort_scan_" + digit),
                module.function("sort_scatter_" + digit));
    }

    static SortKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, SortKernels::new);
    }

    /**
     * One pass, from {@code keys} to {@code sorted_keys}.
     *
     * @param counted whether the tiles' digits are counted already, by a kernel that made the keys
     * @param tileCtas ctas for the tiles; any number is right
     * @param segmentCtas ctas for the segments; any number is right
     */
    void pass(
            Digit digit, boolean counted, int tileCtas, int segmentCtas, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        Pass pass = digit == Digit.WIDE ? wide : narrow;
        if (!counted) {
            pass.count.launch(tileCtas, CTA_THREADS, arguments, stream);
        }
        pass.scan.launch(segmentCtas, SCAN_CTA_THREADS, arguments, stream);
        pass.scatter.launch(tileCtas, CTA_THREADS, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
