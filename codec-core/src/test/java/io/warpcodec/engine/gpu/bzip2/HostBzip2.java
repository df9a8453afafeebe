package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The work of bzip2's kernels in Java, for {@link ScriptedDriver}: the last of them does all of it. */
public final class HostBzip2 {
    private static final byte GARBAGE = (byte) 0xDB;

    private static final List<String> STEPS = List.of(
            "make_tables",
            "read_trunks",
            "find_groups",
            "walk_groups",
            "read_symbols",
            "read_pieces",
            "join_pieces",
            "write_pieces",
            "count_tiles",
            "begin_tiles",
            "link_tiles",
            "measure_nodes",
            "rank_nodes",
            "write_nodes",
            "repeat_text",
            "measure_runs",
            "join_runs",
            "expand_runs",
            "check");

    private HostBzip2() {}

    /** By entry name. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>();
        STEPS.forEach(step -> kernels.put("bzip2_" + step, (memory, arguments) -> {}));
        kernels.put("bzip2_finish", HostBzip2::decode);
        return kernels;
    }

    private static void decode(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("block_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) Bzip2Kernels.ENTRY_BYTES * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        memory.at(arguments.int64("scratch"), arguments.int64("scratch_bytes"));
        long scratchFrom = 0;
        for (int block = 0; block < count; block++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            long scratchAt = entries.getLong();
            byte[] input = new byte[entries.getInt()];
            int slotBytes = entries.getInt();
            boolean aligned = inputAt % 16 == 0 && outputAt % 16 == 0 && scratchAt % 256 == 0;
            if (!aligned
                    || inputAt + input.length > arguments.int64("input_bytes")
                    || outputAt + slotBytes > arguments.int64("output_bytes")
                    || slotBytes > arguments.int32("largest_slot")
                    || scratchAt < scratchFrom
                    || scratchAt + 8L * slotBytes > arguments.int64("scratch_bytes")) {
                throw new AssertionError("a table entry reaches beyond its buffer, or is not aligned");
            }
            scratchFrom = scratchAt + 8L * slotBytes;
            memory.at(arguments.int64("input") + inputAt, input.length).get(input);
            ByteBuffer slot = memory.at(arguments.int64("output") + outputAt, slotBytes);
            byte[] garbage = new byte[slotBytes];
            Arrays.fill(garbage, GARBAGE);
            slot.put(0, garbage);
            Bzip2ReferenceDecoder.Answer answer = Bzip2ReferenceDecoder.decode(input, slotBytes);
            slot.put(0, answer.bytes());
            results.putInt(answer.status().ordinal()).putInt(answer.bytes().length);
        }
    }
}
