package io.warpcodec.engine.gpu.zstd;

import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.plz.HostPlz;
import io.warpcodec.format.zstd.ZstdFormat;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The work of zstd's encoding kernels in Java, for {@link ScriptedDriver}: the last of them does all of it with
 * libzstd, level 1, 3 or 9. Those before it leave marks in the memory that is theirs, which the next one asks for.
 */
public final class HostZstdEncoder {
    private static final byte FAR_MARK = (byte) 0xFA;
    private static final byte BLOCK_MARK = (byte) 0xB1;
    private static final byte GARBAGE = (byte) 0xDB;

    private static final int FAST_LEVEL = 1;
    private static final int DEFAULT_LEVEL = 3;
    /** Long frames of libzstd's 19 would take seconds. */
    private static final int HIGH_LEVEL = 9;
    /** Added to the level in the record of a block whose codes are known. */
    private static final int CODED = 100;
    /** In the record of a block whose borders are known. */
    private static final int BORDERS = 0xB0DE;

    private static final int BORDERS_AT = 12;
    /** Window that libzstd has at both levels. */
    private static final int MOST_WINDOW_OF_ALL = 1 << 19;
    /** Window that makes a single segment of any range. */
    private static final int WINDOW_LOG = 22;

    private HostZstdEncoder() {}

    /** By entry name. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>(HostPlz.all());
        kernels.putAll(Map.of(
                "zstd_encode_far",
                HostZstdEncoder::markFar,
                "zstd_encode_blocks_fast",
                (memory, arguments) -> find(memory, arguments, FAST_LEVEL),
                "zstd_encode_blocks_default",
                (memory, arguments) -> find(memory, arguments, DEFAULT_LEVEL),
                "plz_emit",
                HostZstdEncoder::emit,
                "plz_borders",
                HostZstdEncoder::findBorders,
                "zstd_encode_codes",
                (memory, arguments) -> code(memory, arguments, false),
                "zstd_encode_codes_parts",
                (memory, arguments) -> code(memory, arguments, true),
                "zstd_encode_join",
                HostZstdEncoder::encode));
        return kernels;
    }

    /** An entry of the table, and where its blocks' records and stretch lie. */
    private record Range(byte[] raw, ByteBuffer output, ByteBuffer stretch, ByteBuffer records) {
        int mark(int record) {
            return records.getInt(record * ZstdEncodeKernels.RECORD_BYTES);
        }

        int borders(int record) {
            return records.getInt(record * ZstdEncodeKernels.RECORD_BYTES + BORDERS_AT);
        }

        void putBorders(int record, int borders) {
            records.putInt(record * ZstdEncodeKernels.RECORD_BYTES + BORDERS_AT, borders);
        }

        int count() {
            return records.capacity() / ZstdEncodeKernels.RECORD_BYTES;
        }
    }

    /** The table's entries, none of which shares memory with another one. */
    private static Range[] ranges(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        return ranges(memory, arguments, "scratch");
    }

    private static Range[] ranges(ScriptedDriver memory, KernelArguments arguments, String scratch)
            throws DeviceException {
        Range[] ranges = new Range[arguments.int32("range_count")];
        int unitCount = arguments.int32("unit_count");
        long recordsBytes = (long) ZstdEncodeKernels.RECORD_BYTES * unitCount;
        long scratchBytes = arguments.int64(scratch + "_bytes");
        memory.at(arguments.int64("records"), recordsBytes);
        memory.at(arguments.int64(scratch), scratchBytes);
        require(arguments.int64("records") % 16 == 0 && arguments.int64(scratch) % 16 == 0, "an odd place");
        require(arguments.int64("records") + recordsBytes <= arguments.int64(scratch), "records in the scratch");
        ByteBuffer entries =
                memory.at(arguments.int64("entries"), (long) ZstdEncodeKernels.ENTRY_BYTES * ranges.length);
        int units = 0;
        long scratchFrom = 0;
        for (int range = 0; range < ranges.length; range++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] raw = new byte[entries.getInt()];
            int slotBytes = entries.getInt();
            long scratchAt = entries.getLong();
            int firstUnit = entries.getInt();
            require(entries.getInt() == 0, "a reserved word that is not 0");
            require(raw.length <= ZstdEncodeKernels.MAX_INPUT_BYTES, "a range that is too long");
            require(slotBytes <= ZstdEncodeKernels.MAX_OUTPUT_BYTES, "a slot that is too long");
            require(inputAt + raw.length <= arguments.int64("input_bytes"), "a range beyond the input");
            require(outputAt + slotBytes <= arguments.int64("output_bytes"), "a slot beyond the output");
            long stretchBytes = stretchBytes(raw.length);
            require(scratchAt % 16 == 0 && scratchAt >= scratchFrom, "a stretch in another one, or at an odd place");
            require(stretchBytes <= scratchBytes - scratchAt, "a stretch beyond the scratch");
            require(firstUnit == units, "units that are not numbered through");
            int blocks = Math.max(1, (raw.length + 65_535) / 65_536);
            require(blocks <= unitCount - firstUnit, "more units than are counted");
            memory.at(arguments.int64("input") + inputAt, raw.length).get(raw);
            ranges[range] = new Range(
                    raw,
                    memory.at(arguments.int64("output") + outputAt, slotBytes),
                    memory.at(arguments.int64(scratch) + scratchAt, stretchBytes),
                    memory.at(arguments.int64("records") + 16L * firstUnit, 16L * blocks));
            units += blocks;
            scratchFrom = scratchAt + stretchBytes;
        }
        require(units == unitCount, "more units than there are");
        return ranges;
    }

    /** Six bytes for each byte of a block, whose length is rounded up to a multiple of 16, and 32 more. */
    private static long stretchBytes(int rawBytes) {
        long bytes = 0;
        for (int at = 0; at < rawBytes; at += 65_536) {
            int sixteens = (Math.min(65_536, rawBytes - at) + 15) / 16;
            bytes += 96L * sixteens + 32;
        }
        return bytes;
    }

    private static void markFar(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        for (Range range : ranges(memory, arguments)) {
            fill(range.stretch, FAR_MARK);
        }
    }

    private static void find(ScriptedDriver memory, KernelArguments arguments, int level) throws DeviceException {
        for (Range range : ranges(memory, arguments)) {
            requireAll(range.stretch, FAR_MARK);
            leave(range, level);
        }
    }

    private static void emit(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        HostPlz.requirePaths(memory, arguments);
        int mostUnits = 1;
        for (Range range : ranges(memory, arguments, "encode_scratch")) {
            leave(range, HIGH_LEVEL);
            mostUnits = Math.max(mostUnits, range.count());
        }
        require(arguments.int32("most_units") == mostUnits, "a longest range that is not the longest");
    }

    private static void findBorders(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        HostPlz.requirePaths(memory, arguments);
        for (Range range : ranges(memory, arguments, "encode_scratch")) {
            requireAll(range.stretch, BLOCK_MARK);
            for (int record = 0; record < range.count(); record++) {
                range.putBorders(record, BORDERS);
            }
        }
    }

    private static void leave(Range range, int level) {
        fill(range.stretch, BLOCK_MARK);
        for (int record = 0; record < range.count(); record++) {
            range.records.putInt(record * ZstdEncodeKernels.RECORD_BYTES, level);
            range.putBorders(record, 0);
        }
    }

    private static void code(ScriptedDriver memory, KernelArguments arguments, boolean hasParts)
            throws DeviceException {
        for (Range range : ranges(memory, arguments)) {
            requireAll(range.stretch, BLOCK_MARK);
            for (int record = 0; record < range.count(); record++) {
                require(range.borders(record) == (hasParts ? BORDERS : 0), "borders where there are none, or none");
                range.records.putInt(record * ZstdEncodeKernels.RECORD_BYTES, CODED + range.mark(record));
            }
        }
    }

    private static void encode(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        Range[] ranges = ranges(memory, arguments);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * ranges.length);
        for (Range range : ranges) {
            int level = range.mark(0) - CODED;
            require(level == FAST_LEVEL || level == DEFAULT_LEVEL || level == HIGH_LEVEL, "a kernel that did not run");
            for (int record = 0; record < range.count(); record++) {
                require(range.mark(record) == range.mark(0), "blocks of different levels");
            }
            requireAll(range.stretch, BLOCK_MARK);
            byte[] frame = frame(range.raw, level);
            if (frame.length <= range.output.capacity()) {
                range.output.put(frame);
                results.putInt(BlockResult.Status.SOUND.ordinal()).putInt(frame.length);
            } else {
                results.putInt(BlockResult.Status.OUTPUT_EXCEEDED.ordinal()).putInt(0);
            }
            fill(range.stretch, GARBAGE);
            fill(range.records, GARBAGE);
        }
    }

    /** libzstd's frame without its checksum. */
    private static byte[] frame(byte[] raw, int level) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(level).setChecksum(true).setContentSize(true);
            if (raw.length > MOST_WINDOW_OF_ALL) {
                context.setWindowLog(WINDOW_LOG);
            }
            byte[] frame = context.compress(raw);
            return Arrays.copyOf(frame, frame.length - ZstdFormat.CHECKSUM_BYTES);
        }
    }

    private static void fill(ByteBuffer bytes, byte value) {
        byte[] filled = new byte[bytes.capacity()];
        Arrays.fill(filled, value);
        bytes.put(0, filled);
    }

    /** The first and the last byte, in which all others are like them. */
    private static void requireAll(ByteBuffer stretch, byte mark) {
        require(
                stretch.capacity() == 0 || stretch.get(0) == mark && stretch.get(stretch.capacity() - 1) == mark,
                "a kernel that did not run");
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError("zstd's encoder is given " + otherwise);
        }
    }
}
