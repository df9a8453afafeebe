package io.warpcodec.engine.gpu.zstd;

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
import io.warpcodec.format.zstd.ZstdFormat;

/** {@code zstd.cu}: entry names, and the constants of both sides. Thread-safe. */
final class ZstdKernels implements AutoCloseable {
    static final int ABI = 3;
    /** Offsets of input, output and scratch of 64 bits; input length, output limit, first tile and 0 of 32. */
    static final int ENTRY_BYTES = 40;

    /** {@code DecodeBatch} of {@code zstd_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("decode_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("scratch")
            .int64("scratch_bytes")
            .pointer("entries")
            .pointer("results")
            .int32("frame_count")
            .int32("tile_count");

    /** Most bytes that a frame decodes to. */
    static final int MAX_OUTPUT_BYTES = 32 << 20;
    /** Most bytes in front of a segment. */
    static final int MAX_HISTORY_BYTES = 8 << 20;
    /** What these are filled up to a multiple of. */
    static final int HISTORY_GRAIN_BYTES = 128;
    /** Where a segment's output has the three offsets behind it, in front of what it decodes to. */
    static final int SEGMENT_HEAD_BYTES = 16;

    /** What is known of a block between kernels, in bytes. */
    static final int BLOCK_STATE_BYTES = 48;

    /** Bytes of a sequence, which stands for three bytes of output at least. */
    static final int SEQUENCE_BYTES = 8;

    static final int TILE_BYTES = 2048;

    /** Frames from which on a cta writes each. Fewer are written tile by tile, from sources: 4 bytes a byte. */
    static final int LEAST_WRITE_FRAMES = 16;

    private static final int BEGIN_CTA_THREADS = 1024;
    private static final int READ_CTA_THREADS = 128;
    private static final int JOIN_CTA_THREADS = 32;
    private static final int WRITE_CTA_THREADS = 512;
    private static final int FIND_CTA_THREADS = 64;
    private static final int FIND_CTA_TILES = FIND_CTA_THREADS / 32;
    private static final int PRODUCE_CTA_THREADS = 512;

    static final KernelContract CONTRACT = KernelContract.named("zstd", ABI)
            .constant("record_bytes", ZstdRecord.FIXED_BYTES)
            .constant("block_record_bytes", ZstdRecord.BLOCK_BYTES)
            .constant("max_block_bytes", ZstdFormat.MAX_BLOCK_BYTES)
            .constant("max_output_bytes", MAX_OUTPUT_BYTES)
            .constant("max_history_bytes", MAX_HISTORY_BYTES)
            .constant("history_grain_bytes", HISTORY_GRAIN_BYTES)
            .constant("segment_head_bytes", SEGMENT_HEAD_BYTES)
            .constant("spare_blocks", ZstdBlocks.SPARE_BLOCKS)
            .constant("block_grain", ZstdBlocks.BLOCK_GRAIN)
            .constant("frame_entry_bytes", ENTRY_BYTES)
            .constant("block_result_bytes", BlockBatch.RESULT_BYTES)
            .constant("block_state_bytes", BLOCK_STATE_BYTES)
            .constant("sequence_bytes", SEQUENCE_BYTES)
            .constant("tile_bytes", TILE_BYTES)
            .constant("begin_cta_threads", BEGIN_CTA_THREADS)
            .constant("read_cta_threads", READ_CTA_THREADS)
            .constant("join_cta_threads", JOIN_CTA_THREADS)
            .constant("write_cta_threads", WRITE_CTA_THREADS)
            .constant("least_write_frames", LEAST_WRITE_FRAMES)
            .constant("find_cta_threads", FIND_CTA_THREADS)
            .constant("produce_cta_threads", PRODUCE_CTA_THREADS)
            .and(BlockResult.statusConstants("zstd"))
            .taking(LAYOUT);

    private final KernelModule module;
    private final KernelFunction begin;
    private final KernelFunction read;
    private final int readCtas;
    private final KernelFunction join;
    private final KernelFunction write;
    private final KernelFunction findSources;
    private final KernelFunction produce;

    private ZstdKernels(KernelModule module) throws DeviceException {
        this.module = module;
        this.begin = module.function("zstd_begin");
        this.read = module.function("zstd_read");
        this.readCtas = read.residentCtaCount(READ_CTA_THREADS);
        this.join = module.function("zstd_join");
        this.write = module.function("zstd_write");
        this.findSources = module.function("zstd_find_sources");
        this.produce = module.function("zstd_produce");
    }

    static ZstdKernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, ZstdKernels::new);
    }

    /** Whether frames of a batch have sources: {@code takes_sources} of {@code zstd_scratch.cuh}. */
    static boolean takesSources(int frameCount) {
        return frameCount < LEAST_WRITE_FRAMES;
    }

    /** Asks the stream to run the kernels over the frames that the arguments tell of. */
    void launch(int frameCount, int tileCount, KernelArguments arguments, DeviceStream stream) throws DeviceException {
        begin.launch(1, BEGIN_CTA_THREADS, arguments, stream);
        read.launch(readCtas, READ_CTA_THREADS, arguments, stream);
        join.launch(frameCount, JOIN_CTA_THREADS, arguments, stream);
        if (takesSources(frameCount)) {
            int findCtas = (tileCount + FIND_CTA_TILES - 1) / FIND_CTA_TILES;
            findSources.launch(findCtas, FIND_CTA_THREADS, arguments, stream);
            produce.launch(tileCount, PRODUCE_CTA_THREADS, arguments, stream);
        } else {
            write.launch(frameCount, WRITE_CTA_THREADS, arguments, stream);
        }
    }

    @Override
    public void close() {
        module.close();
    }
}
