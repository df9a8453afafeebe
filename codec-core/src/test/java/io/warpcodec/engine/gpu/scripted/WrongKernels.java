package io.warpcodec.engine.gpu.scripted;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** {@link HostKernels} of which those that end an encoding get ranges wrong, if these begin with a mark. */
public final class WrongKernels {
    private static final byte[] MARK = "wrong on devices".getBytes(StandardCharsets.US_ASCII);

    /** Bytes of an entry that all encodings have: places of input and output, and the sizes of both. */
    private static final int PLACES_BYTES = 24;

    /** What a device gets wrong. */
    public enum Way {
        /** A bit of the raw bytes, so that a sound chunk is made of others. */
        RAW_BYTES,
        /** A byte of the chunk. */
        CODED_BYTES
    }

    /** A kernel that makes chunks, the field that counts its ranges, and bytes of their entries. */
    private record Last(String entry, String count, int entryBytes) {}

    private static final Last[] ENDS = {
        new Last("zstd_encode_join", "range_count", 40),
        new Last("deflate_encode_join", "range_count", 40),
        new Last("lz4_price_write", "block_count", 32)
    };

    private WrongKernels() {}

    /** Puts the mark at the begin of a range. */
    public static void mark(byte[] raw, int at) {
        System.arraycopy(MARK, 0, raw, at, MARK.length);
    }

    /** All kernels by entry name. */
    public static Map<String, Kernel> all(Way way) {
        Map<String, Kernel> kernels = new HashMap<>(HostKernels.all());
        for (Last end : ENDS) {
            Kernel right = kernels.get(end.entry);
            kernels.put(end.entry, (memory, arguments) -> {
                if (way == Way.RAW_BYTES) {
                    spoilMarked(memory, arguments, end, way);
                    right.run(memory, arguments);
                } else {
                    right.run(memory, arguments);
                    spoilMarked(memory, arguments, end, way);
                }
            });
        }
        return kernels;
    }

    private static void spoilMarked(ScriptedDriver memory, KernelArguments arguments, Last end, Way way)
            throws DeviceException {
        int count = arguments.int32(end.count);
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) end.entryBytes * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        for (int range = 0; range < count; range++) {
            ByteBuffer places =
                    entries.slice(range * end.entryBytes, PLACES_BYTES).order(entries.order());
            long inputAt = arguments.int64("input") + places.getLong();
            long outputAt = arguments.int64("output") + places.getLong();
            int rawBytes = places.getInt();
            byte[] begin = new byte[Math.min(MARK.length, rawBytes)];
            memory.at(inputAt, begin.length).get(begin);
            if (Arrays.equals(begin, MARK) && way == Way.RAW_BYTES) {
                flip(memory.at(inputAt, rawBytes), rawBytes / 2, 1);
            } else if (Arrays.equals(begin, MARK)) {
                int bytes = results.getInt(range * BlockBatch.RESULT_BYTES + Integer.BYTES);
                flip(memory.at(outputAt, bytes), bytes / 2, 0xff);
            }
        }
    }

    private static void flip(ByteBuffer bytes, int at, int bits) {
        bytes.put(at, (byte) (bytes.get(at) ^ bits));
    }
}
