package io.warpcodec.engine.gpu.bzip2;

import static io.warpcodec.format.bzip2.Bzip2Format.*;

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
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bzip2.cu}: entry names, and the constants of both sides. Thread-safe.
 */
public final class Bzip2Kernels implements AutoCloseable {
    static final int ABI = 1;
    /** Offsets of input, output and scratch of 64 bits, input length and output limit of 32, little-endian. */
    public static final int ENTRY_BYTES = 32;

    /** {@code DecodeBatch} of {@code bzip2_format.cuh}, which the kernels take. */
    static final ArgumentLayout LAYOUT = ArgumentLayout.of("decode_batch")
            .pointer("input")
            .int64("input_bytes")
            .pointer("output")
            .int64("output_bytes")
            .pointer("scratch")
            .int64("scratch_bytes")
            .pointer("entries")
            .pointer("results")
            .int32("block_count")
            .int32("largest_slot");

    /** Most bytes of a record with its block, and of a slot. */
    static final int MAX_INPUT_BYTES = (4 << 20) + Bzip2Record.FIXED_BYTES + MAX_SELECTORS + 64;

    static final int MAX_OUTPUT_BYTES = 4 << 20;
    /** Of a block's scratch, whatever its slot. */
    static final int SCRATCH_FIXED_BYTES = 36 << 10;
    /** Sixteenths of a byte of scratch for each byte of a slot, which counts in whole grains. */
    static final int SCRATCH_SIXTEENTHS = 137;

    static final int SLOT_GRAIN_BYTES = 8192;

    /**
     * A kernel of the decoder.
     *
     * @param name its entry without the module's name
     * @param ctaThreads threads of a cta
     * @param ctaBytes bytes of a slot that a cta works on; 0: one cta works on a block
     */
    record Stage(String name, int ctaThreads, int ctaBytes) {
        /** Ctas that are busy at once where the longest of so many slots has so many bytes. Any number is right. */
        int ctaCount(int blockCount, int slotBytes) {
            return Math.toIntExact((long) blockCount * (ctaBytes == 0 ? 1 : slotBytes / ctaBytes + 1));
        }
    }

    /** In the order in which they run. */
    static final List<Stage> STAGES = List.of(
            new Stage("make_tables", 256, 0),
            new Stage("read_trunks", 192, 4096),
            new Stage("find_groups", 128, 0),
            new Stage("walk_groups", 512, 0),
            new Stage("read_symbols", 256, 12_800),
            new Stage("read_pieces", 64, 32_768),
            new Stage("join_pieces", 1024, 0),
            new Stage("write_pieces", 128, 2048),
            new Stage("count_tiles", 256, 8192),
            new Stage("begin_tiles", 256, 0),
            new Stage("link_tiles", 512, 8192),
            new Stage("measure_nodes", 64, 4096),
            new Stage("rank_nodes", 1024, 0),
            new Stage("write_nodes", 64, 4096),
            new Stage("repeat_text", 128, 8192),
            new Stage("measure_runs", 128, 8192),
            new Stage("join_runs", 512, 0),
            new Stage("expand_runs", 128, 8192),
            new Stage("check", 512, 131_072),
            new Stage("finish", 128, 0));

    static final KernelContract CONTRACT =
            constants().and(BlockResult.statusConstants("bzip2")).taking(LAYOUT);

    private static KernelContract constants() {
        KernelContract contract = KernelContract.named("bzip2", ABI)
                .constant("record_bytes", Bzip2Record.FIXED_BYTES)
                .constant("max_text_bytes", maxBlockBytes(MAX_LEVEL))
                .constant("max_selectors", MAX_SELECTORS)
                .constant("max_input_bytes", MAX_INPUT_BYTES)
                .constant("max_output_bytes", MAX_OUTPUT_BYTES)
                .constant("group_symbols", GROUP_SYMBOLS)
                .constant("decode_entry_bytes", ENTRY_BYTES)
                .constant("block_result_bytes", BlockBatch.RESULT_BYTES)
                .constant("slot_grain", SLOT_GRAIN_BYTES)
                .constant("scratch_fixed_bytes", SCRATCH_FIXED_BYTES)
                .constant("scratch_sixteenths", SCRATCH_SIXTEENTHS);
        for (Stage stage : STAGES) {
            contract = contract.constant(stage.name() + "_cta_threads", stage.ctaThreads())
                    .constant(stage.name() + "_cta_bytes", stage.ctaBytes());
        }
        return contract;
    }

    private final KernelModule module;
    private final List<KernelFunction> functions = new ArrayList<>();

    private Bzip2Kernels(KernelModule module) throws DeviceException {
        this.module = module;
        for (Stage stage : STAGES) {
            functions.add(module.function("bzip2_" + stage.name()));
        }
    }

    static Bzip2Kernels load(Device device) throws KernelUnavailableException, DeviceException {
        return KernelModule.load(device, CONTRACT, Bzip2Kernels::new);
    }

    /**
     * Asks the stream to run all stages over the blocks that the arguments tell of, the longest of whose slots has so
     * many bytes.
     */
    void launch(int blockCount, int largestSlotBytes, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        for (int index = 0; index < STAGES.size(); index++) {
            Stage stage = STAGES.get(index);
            functions
                    .get(index)
                    .launch(stage.ctaCount(blockCount, largestSlotBytes), stage.ctaThreads(), arguments, stream);
        }
    }

    @Override
    public void close() {
        module.close();
    }
}
