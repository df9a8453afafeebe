package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DecodePlan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The work of zstd's kernels in Java, for {@link ScriptedDriver}: the last of them does all of it. It decodes block by
 * block as the record says, and fails where the record is not what a plain decoder finds. A record that the planner
 * does not make of the frame is a hostile client's, and refused.
 */
public final class HostZstd {
    private static final byte GARBAGE = (byte) 0xDB;

    private HostZstd() {}

    /** By entry name. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>();
        for (String step : List.of("begin", "read", "join", "find_sources")) {
            kernels.put("zstd_" + step, (memory, arguments) -> {});
        }
        kernels.put("zstd_write", (memory, arguments) -> decode(memory, arguments, false));
        kernels.put("zstd_produce", (memory, arguments) -> decode(memory, arguments, true));
        return kernels;
    }

    private static void decode(ScriptedDriver memory, KernelArguments arguments, boolean hasSources)
            throws DeviceException {
        int count = arguments.int32("frame_count");
        if (hasSources != count < ZstdKernels.LEAST_WRITE_FRAMES) {
            throw new AssertionError("the wrong kernels for " + count + " frames");
        }
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) ZstdKernels.ENTRY_BYTES * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        long scratchBytes = arguments.int64("scratch_bytes");
        memory.at(arguments.int64("scratch"), scratchBytes);
        long scratchFrom = 4L * (count + 1);
        int tiles = 0;
        for (int frame = 0; frame < count; frame++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            long scratchAt = entries.getLong();
            byte[] input = new byte[entries.getInt()];
            int outputLimit = entries.getInt();
            // sources, and sequences of three bytes each
            long needed = (hasSources ? 4L * outputLimit : 0) + 8L * (outputLimit / 3);
            boolean right = scratchAt % 256 == 0
                    && scratchAt >= scratchFrom
                    && scratchAt + needed <= scratchBytes
                    && inputAt + input.length <= arguments.int64("input_bytes")
                    && outputAt + outputLimit <= arguments.int64("output_bytes");
            if (!right || entries.getInt() != tiles || entries.getInt() != 0) {
                throw new AssertionError("a table entry reaches beyond its buffer, is not aligned, or has wrong tiles");
            }
            scratchFrom = scratchAt + needed;
            tiles += (outputLimit + ZstdKernels.TILE_BYTES - 1) / ZstdKernels.TILE_BYTES;
            memory.at(arguments.int64("input") + inputAt, input.length).get(input);
            ByteBuffer slot = memory.at(arguments.int64("output") + outputAt, outputLimit);
            try {
                ZstdDefect.unless(inputAt % 16 == 0, "a record that is not aligned");
                if (isSegment(input)) {
                    ZstdDefect.unless(hasSources, "a segment among many frames");
                    byte[] content = segment(input, slot);
                    results.putInt(BlockResult.Status.SOUND.ordinal()).putInt(content.length);
                    continue;
                }
                ZstdDefect.unless(isPlanned(input), "a record that is not the planner's");
                byte[] content = decode(input).content();
                ZstdDefect.unless(content.length == outputLimit, "a wrong content size");
                slot.put(content);
                results.putInt(BlockResult.Status.SOUND.ordinal()).putInt(outputLimit);
            } catch (ZstdDefect defect) {
                byte[] garbage = new byte[outputLimit];
                Arrays.fill(garbage, GARBAGE);
                slot.put(garbage);
                results.putInt(BlockResult.Status.BAD_SYMBOL.ordinal()).putInt(0);
            }
        }
        if (tiles != arguments.int32("tile_count")) {
            throw new AssertionError("wrong count of tiles");
        }
    }

    private static boolean isSegment(byte[] input) {
        return input.length > ZstdRecord.FIXED_BYTES
                && ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN).getInt(24) == 1;
    }

    /** Decodes a segment to its slot. */
    private static byte[] segment(byte[] input, ByteBuffer slot) throws ZstdDefect {
        Decoded decoded;
        try {
            decoded = decode(input);
        } catch (RuntimeException | AssertionError hostile) {
            throw new ZstdDefect("a record that is not its blocks': " + hostile.getMessage());
        }
        ZstdDefect.unless(
                decoded.content.length <= slot.remaining() - ZstdKernels.SEGMENT_HEAD_BYTES,
                "more than there is room for");
        for (int i = 0; i < 3; i++) {
            slot.putInt(slot.position(), decoded.repeats[i]).position(slot.position() + Integer.BYTES);
        }
        slot.putInt(0).put(decoded.content);
        return decoded.content;
    }

    /** What a frame or a segment decodes to, and the offsets behind it. */
    record Decoded(byte[] content, int[] repeats) {}

    private static boolean isPlanned(byte[] input) {
        int frameAt = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN).getInt();
        if (frameAt < ZstdRecord.FIXED_BYTES || frameAt >= input.length) {
            return false;
        }
        byte[] frame = Arrays.copyOfRange(input, frameAt, input.length);
        DecodePlan plan = ZstdPlans.frame(ZstdBlocksTest.chunk(frame), Integer.MAX_VALUE);
        return plan.refusal() == null && Arrays.equals(plan.bodies().get(0).preamble(), Arrays.copyOf(input, frameAt));
    }

    /** Decodes a frame behind its record. */
    static Decoded decode(byte[] input) throws ZstdDefect {
        ByteBuffer record = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        int frameAt = record.getInt();
        int count = record.getInt();
        ZstdDefect.unless(count >= 0 && count <= input.length / ZstdRecord.BLOCK_BYTES, "blocks that are not there");
        requireEqual("length", ZstdRecord.FIXED_BYTES + count * ZstdRecord.BLOCK_BYTES, frameAt);
        ZstdReferenceDecoder decoder = new ZstdReferenceDecoder();
        ZstdTree[] trees = new ZstdTree[count];
        ZstdFse[][] tables = new ZstdFse[count][];
        int maxBlockBytes = record.getInt(12);
        int historyBytes = 0;
        if (isSegment(input)) {
            int fill = record.getInt(36);
            historyBytes = record.getInt(32) - fill;
            ZstdDefect.unless(historyBytes >= 0 && historyBytes <= input.length, "history that is not there");
            decoder.put(input, frameAt + record.getInt(28) + fill, historyBytes);
            decoder.repeated = new int[] {record.getInt(40), record.getInt(44), record.getInt(48)};
        }
        int literals = 0;
        int sequences = 0;
        for (int block = 0; block < count; block++) {
            int from = ZstdRecord.FIXED_BYTES + block * ZstdRecord.BLOCK_BYTES;
            int at = frameAt + record.getInt(from);
            int bytes = record.getInt(from + 4);
            int literalsAt = record.getInt(from + 8);
            int literalCount = record.getInt(from + 16);
            int sequenceCount = record.getInt(from + 28);
            ZstdDefect.unless(literalCount >= 0 && literalCount <= 1 << 17, "more literals than a block has");
            int kind = record.get(from + 44);
            requireEqual("first sequence", sequences, record.getInt(from + 32));
            if (kind != ZstdLiterals.RAW) {
                requireEqual("first literal", literals, record.getInt(from + 20));
                literals += literalCount;
            }
            sequences += sequenceCount;
            int before = decoder.contentBytes;
            if (isSegment(input) && literalCount == 0 && sequenceCount == 0 && kind >= ZstdLiterals.ONE_STREAM) {
                decoder.tree = ZstdTree.read(input, at + literalsAt, at + record.getInt(from + 12));
            } else if (isSegment(input) && literalCount == 0 && sequenceCount == 0 && record.getInt(from + 24) == 1) {
                int table = table(record, block, count);
                int mode = record.get(from + 45) >> 6 - 2 * table & 3;
                decoder.tables[table] = table(input, table, mode, at + 1, at + bytes);
            } else if (literalsAt == 0) {
                byte[] run = new byte[literalCount];
                Arrays.fill(run, kind == ZstdLiterals.RAW ? 0 : input[at]);
                decoder.put(kind == ZstdLiterals.RAW ? input : run, kind == ZstdLiterals.RAW ? at : 0, literalCount);
            } else {
                decoder.block(input, at, at + bytes);
                requireEqual("literals", decoder.literalsAt, literalsAt);
                requireEqual("end of literals", decoder.literalsEnd, record.getInt(from + 12));
                requireEqual("number of literals", decoder.literalCount, literalCount);
                requireEqual("number of sequences", decoder.sequenceCount, sequenceCount);
                requireEqual("tables", decoder.tablesAt, record.getInt(from + 24));
            }
            trees[block] = decoder.tree;
            tables[block] = decoder.tables.clone();
            if (kind >= ZstdLiterals.ONE_STREAM) {
                int described = record.getShort(from + 36);
                requireSame("tree", trees[described], decoder.tree);
                requireOther("tree", described == 0 ? null : trees[described - 1], decoder.tree);
            }
            for (int table = 0; sequenceCount > 0 && table < tables[block].length; table++) {
                int described = record.getShort(from + 38 + 2 * table);
                requireSame("table", tables[described][table], decoder.tables[table]);
                requireOther("table", described == 0 ? null : tables[described - 1][table], decoder.tables[table]);
            }
            ZstdDefect.unless(decoder.contentBytes - before <= maxBlockBytes, "a block over its maximum");
        }
        requireEqual("number of literals", literals, record.getInt(16));
        requireEqual("number of sequences", sequences, record.getInt(20));
        byte[] content = Arrays.copyOfRange(decoder.content, historyBytes, decoder.contentBytes);
        return new Decoded(content, decoder.repeated);
    }

    /** Which table a block describes that does nothing else: that which others have from it. */
    private static int table(ByteBuffer record, int block, int count) {
        for (int other = block + 1; other < count; other++) {
            int from = ZstdRecord.FIXED_BYTES + other * ZstdRecord.BLOCK_BYTES;
            for (int table = 0; record.getInt(from + 28) > 0 && table < 3; table++) {
                if (record.getShort(from + 38 + 2 * table) == block) {
                    return table;
                }
            }
        }
        return 0;
    }

    private static ZstdFse table(byte[] in, int table, int mode, int at, int limit) throws ZstdDefect {
        return switch (mode) {
            case 0 -> ZstdFse.of(ZstdReferenceDecoder.PREDEFINED_LOG[table], ZstdReferenceDecoder.PREDEFINED[table], 0);
            case 1 -> ZstdFse.ofOne(in[at] & 0xff);
            default ->
                ZstdFse.described(
                        in, at, limit, ZstdReferenceDecoder.MOST_SYMBOL[table], ZstdReferenceDecoder.MOST_LOG[table]);
        };
    }

    private static void requireEqual(String what, int expected, int found) {
        if (expected != found) {
            throw new AssertionError("a record's " + what + ": " + found + ", not " + expected);
        }
    }

    private static void requireSame(String what, Object expected, Object found) {
        if (expected != found) {
            throw new AssertionError("a record's " + what + " is another block's");
        }
    }

    private static void requireOther(String what, Object before, Object found) {
        if (before == found) {
            throw new AssertionError("a record's " + what + " is older");
        }
    }
}
