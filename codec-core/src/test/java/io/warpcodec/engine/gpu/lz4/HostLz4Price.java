package io.warpcodec.engine.gpu.lz4;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.plz.HostPlz;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Stands in for the kernels that write LZ4 blocks by price, for {@link ScriptedDriver}: the last of them does all of it
 * with lz4-java's level 9. Each leaves marks in its results and asks for those in its inputs. So a kernel that does
 * not run is seen, and an area laid over data still in use.
 */
public final class HostLz4Price {
    private static final int UNIT = 65_536;
    /** Bytes from one mark to the next. */
    private static final int GRAIN = 256;

    /** Fields that have marks of their own. */
    private static final List<String> MARKED =
            List.of("text", "frames", "unit_frames", "own", "before", "matches", "steps");

    private static final LZ4Compressor LEVEL_9 = LZ4Factory.fastestInstance().highCompressor(9);

    private HostLz4Price() {}

    /** By entry name, but for those of the order, which a strong level's finder has. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>();
        kernels.put("lz4_price_gather", (memory, arguments) -> {
            write(memory, arguments, "text", "frames", "unit_frames");
            HostPlz.leaveOrderEntries(memory, arguments.int64("order_entries"), arguments.int32("block_count"));
        });
        kernels.put("lz4_price_near", (memory, arguments) -> {
            requireThere(memory, arguments, "frames", "unit_frames");
            write(memory, arguments, "own", "before");
            HostPlz.requireOrder(memory, arguments.int64("order"), places(arguments));
            requireThere(memory, arguments, "frames", "unit_frames", "text");
        });
        kernels.put("lz4_price_measure", (memory, arguments) -> {
            requireThere(memory, arguments, "own", "before");
            write(memory, arguments, "matches");
            requireThere(memory, arguments, "text", "frames", "unit_frames", "own", "before");
        });
        kernels.put("lz4_price_parse", (memory, arguments) -> {
            requireThere(memory, arguments, "matches");
            write(memory, arguments, "steps");
            requireThere(memory, arguments, "frames", "unit_frames", "matches");
        });
        kernels.put("lz4_price_write", (memory, arguments) -> {
            requireThere(memory, arguments, "text", "steps");
            encode(memory, arguments);
        });
        return kernels;
    }

    private static long places(KernelArguments arguments) {
        return (long) UNIT * arguments.int32("unit_count");
    }

    private static ByteBuffer field(ScriptedDriver memory, KernelArguments arguments, String name)
            throws DeviceException {
        long bytes = switch (name) {
            case "text" -> places(arguments) + 16;
            case "frames" -> 8L * arguments.int32("block_count");
            case "unit_frames" -> 4L * arguments.int32("unit_count");
            default -> 4 * places(arguments);
        };
        long at = arguments.int64(name);
        require(at % GRAIN == 0, name + " at an odd place");
        return memory.at(at, bytes);
    }

    private static byte mark(String name) {
        return (byte) (0x60 + MARKED.indexOf(name));
    }

    private static void write(ScriptedDriver memory, KernelArguments arguments, String... names)
            throws DeviceException {
        for (String name : names) {
            ByteBuffer bytes = field(memory, arguments, name);
            for (int at = 0; at < bytes.capacity(); at += GRAIN) {
                bytes.put(at, mark(name));
            }
            bytes.put(bytes.capacity() - 1, mark(name));
        }
    }

    private static void requireThere(ScriptedDriver memory, KernelArguments arguments, String... names)
            throws DeviceException {
        for (String name : names) {
            ByteBuffer bytes = field(memory, arguments, name);
            boolean isThere = bytes.get(bytes.capacity() - 1) == mark(name);
            for (int at = 0; at < bytes.capacity(); at += GRAIN) {
                isThere &= bytes.get(at) == mark(name);
            }
            require(isThere, name + " that is not there, or written over");
        }
    }

    private static void encode(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("block_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) Lz4PriceKernels.ENTRY_BYTES * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        int units = 0;
        for (int block = 0; block < count; block++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] raw = new byte[entries.getInt()];
            int slotBytes = entries.getInt();
            require(entries.getInt() == units, "units that are not numbered through");
            require(entries.getInt() == 0, "a reserved word that is not 0");
            require(inputAt + raw.length <= arguments.int64("input_bytes"), "a block beyond the input");
            require(outputAt + slotBytes <= arguments.int64("output_bytes"), "a slot beyond the output");
            units += Math.max(1, (raw.length + UNIT - 1) / UNIT);
            memory.at(arguments.int64("input") + inputAt, raw.length).get(raw);
            byte[] encoded = LEVEL_9.compress(raw);
            if (encoded.length <= slotBytes) {
                memory.at(arguments.int64("output") + outputAt, encoded.length).put(encoded);
                results.putInt(BlockResult.Status.SOUND.ordinal()).putInt(encoded.length);
            } else {
                results.putInt(BlockResult.Status.OUTPUT_EXCEEDED.ordinal()).putInt(0);
            }
        }
        require(units == arguments.int32("unit_count"), "more units than there are");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("LZ4's encoder by price is given " + otherwise);
        }
    }
}
