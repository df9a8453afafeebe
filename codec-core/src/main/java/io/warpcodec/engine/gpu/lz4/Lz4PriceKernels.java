package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.ArgumentLayout;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelFunction;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** {@code lz4_price.cu}: entry names, and the constants of both sides. Thread-safe. */
final class Lz4PriceKernels implements AutoCloseable {
    static final int ABI = 1;
    /** Bytes of a unit: a block begins with one. */
    static final int UNIT_BYTES = 1 << 16;
    /** Bytes of text that may be read behind the last. */
    static final int TEXT_SLACK_BYTES = 16;

    static final int FRAME_BYTES = 8;
    static final int ORDER_ENTRY_BYTES = 16;
    /** An entry of a {@link BlockBatch}, the block's first unit, and a word that is 0. */
    static final int ENTRY_BYTES = BlockBatch.ENTRY_BYTES + 2 * Integer.BYTES;

    /** Places that a cta parses. */
    static final int CTA_PLACES = 32 << 10;

    /** {@code PriceBatch} of {@code lz4_price_format.cuh}, which all kernels take. */
    static final ArgumentLayout LAYOUT = BlockBatch.LAYOUT
            .named("batch")
            .int32("unit_count")
            .pointer("text")
            .pointer("frames")
            .pointer("unit_frames")
            .pointer("order_entries")
            .pointer("order")
            .pointer("own")
            .pointer("before")
            .pointer("matches")
            .pointer("steps");

    /** The kernels; {@code lz4_price.cu} says what each does. */
    enum Stage {
        GATHER(256, 0),
        NEAR(1024, 158_128),
        MEASURE(256, 0),
        PARSE(32, 73_792),
        WRITE(256, 0);

        private final int ctaThreads;
        private final int sharedBytes;

        /** @param sharedBytes of dynamic shared memory */
        Stage(int ctaThreads, int sharedBytes) {
            this.ctaThreads = ctaThreads;
            this.sharedBytes = sharedBytes;
        }

        int ctaThreads() {
            return ctaThreads;
        }

        private String entry() {
            return "lz4_price_" + name().toLowerCase(Locale.ROOT);
        }
    }

    static final KernelContract CONTRACT = KernelContract.named("lz4_price", ABI)
            .constant("max_raw_bytes", Lz4Kernels.MAX_OUTPUT_BYTES)
            .constant("max_encoded_bytes", Lz4Kernels.MAX_INPUT_BYTES)
            .constant("unit_bytes", UNIT_BYTES)
            .constant("text_slack_bytes", TEXT_SLACK_BYTES)
            .constant("frame_bytes", FRAME_BYTES)
            .constant("order_entry_bytes", ORDER_ENTRY_BYTES)
            .constant("entry_bytes", ENTRY_BYTES)
            .constant("result_bytes", BlockBatch.RESULT_BYTES)
            .constant("cta_places", CTA_PLACES)
            .constant("gather_cta_threads", Stage.GATHER.ctaThreads)
            .constant("near_cta_threads", Stage.NEAR.ctaThreads)
            .constant("measure_cta_threads", Stage.MEASURE.ctaThreads)
            .constant("parse_cta_threads", Stage.PARSE.ctaThreads)
            .constant("write_cta_threads", Stage.WRITE.ctaThreads)
            .constant("near_shared_bytes", Stage.NEAR.sharedBytes)
            .constant("parse_shared_bytes", Stage.PARSE.sharedBytes)
            .and(BlockResult.statusConstants("lz4_price"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final Map<Stage, KernelFunction> functions = new EnumMap<>(Stage.class);

    private Lz4PriceKernels(KernelModule module) throws KernelUnavailableException, DeviceException {
        this.module = module;
        for (Stage stage : Stage.values()) {
            functions.put(
                    stage,
                    stage.sharedBytes == 0
                            ? module.function(stage.entry())
                            : module.function(stage.entry(), stage.sharedBytes));
        }
    }

    /** Also unavailable on devices whose multiprocessors have less shared memory than the largest kernel takes. */
    static Lz4PriceKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, Lz4PriceKernels::new);
    }

    void launch(Stage stage, int ctaCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        functions.get(stage).launch(ctaCount, stage.ctaThreads, arguments, stream);
    }

    @Override
    public void close() {
        module.close();
    }
}
