package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * The kernels of {@code deflate_stream.cu} in Java, for {@link ScriptedDriver}: same arguments, same tables. Blocks
 * are read from their beginning, one token after the other, so that every piece begins where the one before it ends;
 * what only the kernels among themselves need to know of parts and codes is not written.
 */
public final class HostSegments {
    private static final int OPEN = 0;
    private static final int ENDED = 1;
    private static final int BAD = 2;
    private static final int IDLE = 3;
    private static final int VALUE = 0x80000000;
    private static final int STORED_RUN = -1;

    private HostSegments() {}

    public static Map<String, Kernel> all() {
        return Map.of(
                "deflate_stream_find_blocks", (memory, arguments) -> {},
                "deflate_stream_list_blocks", HostSegments::find,
                "deflate_stream_make_codes", (memory, arguments) -> {},
                "deflate_stream_synchronise_pieces", (memory, arguments) -> {},
                "deflate_stream_stitch_blocks", HostSegments::read,
                "deflate_stream_find_sources", HostSegments::sources,
                "deflate_stream_produce", HostSegments::produce);
    }

    private static byte[] input(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        byte[] input = new byte[arguments.int32("input_bytes")];
        memory.at(arguments.int64("input"), input.length).get(input);
        return input;
    }

    private static void find(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        byte[] input = input(memory, arguments);
        int listLimit = arguments.int32("list_limit");
        ByteBuffer list = memory.at(arguments.int64("list"), (long) Integer.BYTES * listLimit);
        ByteBuffer padded = ByteBuffer.allocate(input.length + 2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        padded.put(0, input);
        int found = 0;
        int limit = arguments.int32("limit");
        long word = 0;
        for (int bit = arguments.int32("begin"); bit < limit; bit++) {
            if (word == 0 || (bit & 7) == 0) {
                word = padded.getLong(bit >>> 3);
            }
            boolean mayBegin = isDynamic(word >>> (bit & 7) + 1) && hasWholeCode(padded, bit);
            if (mayBegin && DeflateBlocksReference.isHeader(input, bit) && found++ < listLimit) {
                list.putInt(bit);
            }
        }
        memory.at(arguments.int64("result"), DeflateStreamKernels.FIND_RESULT_BYTES)
                .putInt(found)
                .putInt(Math.min(found, listLimit));
    }

    /** What four lengths of a code for lengths take of the space of 128 words. */
    private static final int[] SPACE_OF_FOUR = new int[1 << 12];

    static {
        for (int lengths = 0; lengths < SPACE_OF_FOUR.length; lengths++) {
            for (int rest = lengths; rest != 0; rest >>>= 3) {
                SPACE_OF_FOUR[lengths] += (rest & 7) == 0 ? 0 : 128 >> (rest & 7);
            }
        }
    }

    /** A dynamic block's type, and its counts. */
    private static boolean isDynamic(long head) {
        return (head & 3) == 2 && (head >> 2 & 31) <= 29 && (head >> 7 & 31) <= 29;
    }

    /** A complete code for the lengths: nearly all blocks that are none fail here. */
    private static boolean hasWholeCode(ByteBuffer padded, int bit) {
        int count = (int) (bits(padded, bit + 13) & 15) + 4;
        long lengths = bits(padded, bit + 17) & (1L << 3 * count) - 1;
        int space = 0;
        for (; lengths != 0; lengths >>>= 12) {
            space += SPACE_OF_FOUR[(int) lengths & 0xFFF];
        }
        return space == 128;
    }

    /** 57 bits at least. */
    private static long bits(ByteBuffer padded, int at) {
        return padded.getLong(at >>> 3) >>> (at & 7);
    }

    private static void read(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        byte[] input = input(memory, arguments);
        int blockCount = arguments.int32("block_count");
        int pieceCount = arguments.int32("piece_count");
        ByteBuffer blocks = memory.at(arguments.int64("blocks"), (long) SegmentChain.BLOCK_BYTES * blockCount);
        ByteBuffer notes = memory.at(arguments.int64("block_notes"), (long) SegmentChain.NOTE_BYTES * blockCount);
        ByteBuffer pieces = memory.at(arguments.int64("piece_notes"), (long) SegmentChain.NOTE_BYTES * pieceCount);
        memory.at(arguments.int64("parts"), 32L * DeflateStreamKernels.PART_BYTES * pieceCount);
        memory.at(arguments.int64("tables"), (long) DeflateStreamKernels.TABLE_BYTES * blockCount);
        int firstBlock = arguments.int32("first_block");
        blocks.position(SegmentChain.BLOCK_BYTES * firstBlock);
        notes.position(SegmentChain.NOTE_BYTES * firstBlock);
        int nextPiece = arguments.int32("first_piece");
        for (int block = firstBlock; block < blockCount; block++) {
            int headerBit = blocks.getInt();
            int tokenBit = blocks.getInt();
            int limitBit = blocks.getInt();
            int firstPiece = blocks.getInt();
            int count = blocks.getInt();
            if (firstPiece != nextPiece || blocks.getInt() != 0 || limitBit > Byte.SIZE * input.length) {
                throw new AssertionError("pieces are not numbered through");
            }
            nextPiece += count;
            DeflateBlocksReference.Tokens tokens = DeflateBlocksReference.tokens(input, headerBit);
            if (tokens == null) {
                notes.putInt(tokenBit).putInt(tokenBit).putInt(BAD).putInt(0);
                continue;
            }
            if (tokenBit == 0) {
                tokenBit = tokens.bit();
            }
            tokens.seek(tokenBit);
            int ending = OPEN;
            int used = 0;
            for (int piece = 0; piece < count; piece++) {
                int begin = tokenBit + piece * SegmentChain.PIECE_BITS;
                if (ending != OPEN || begin >= limitBit) {
                    pieces.position((firstPiece + piece) * SegmentChain.NOTE_BYTES);
                    pieces.putInt(begin).putInt(begin).putInt(0).putInt(IDLE);
                    continue;
                }
                int limit = Math.min(begin + SegmentChain.PIECE_BITS, limitBit);
                int start = tokens.bit();
                int bytes = 0;
                while (ending == OPEN && tokens.bit() < limit) {
                    switch (tokens.step()) {
                        case TOKEN -> bytes += tokens.length();
                        case END -> ending = ENDED;
                        case DEFECT -> ending = BAD;
                    }
                }
                used++;
                pieces.position((firstPiece + piece) * SegmentChain.NOTE_BYTES);
                pieces.putInt(start).putInt(tokens.bit()).putInt(bytes).putInt(ending | 31 << 8);
            }
            notes.putInt(tokenBit).putInt(tokens.bit()).putInt(ending).putInt(used);
        }
        if (nextPiece != pieceCount) {
            throw new AssertionError("wrong count of pieces");
        }
    }

    private static void sources(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        byte[] input = input(memory, arguments);
        int blockCount = arguments.int32("block_count");
        int pieceCount = arguments.int32("piece_count");
        ByteBuffer blocks = memory.at(arguments.int64("blocks"), (long) SegmentChain.BLOCK_BYTES * blockCount);
        ByteBuffer pieces = memory.at(arguments.int64("piece_notes"), (long) SegmentChain.NOTE_BYTES * pieceCount);
        int runCount = arguments.int32("run_count");
        ByteBuffer runs = memory.at(arguments.int64("runs"), (long) SegmentChain.RUN_BYTES * runCount);
        int placeCount = arguments.int32("place_count");
        ByteBuffer sources = memory.at(arguments.int64("sources"), (long) Integer.BYTES * placeCount);
        int firstPlace = arguments.int32("first_place");
        ByteBuffer defect = memory.at(arguments.int64("defect"), Integer.BYTES);
        for (int run = 0; run < runCount; run++) {
            int place = runs.getInt();
            int bytes = runs.getInt();
            int from = runs.getInt();
            int block = runs.getInt();
            if (place < firstPlace || bytes <= 0 || bytes > placeCount - place) {
                throw new AssertionError("a run of " + bytes + " bytes at " + place);
            }
            if (block == STORED_RUN) {
                for (int i = 0; i < bytes; i++) {
                    sources.putInt(Integer.BYTES * (place + i), VALUE | input[from + i] & 0xff);
                }
                continue;
            }
            DeflateBlocksReference.Tokens tokens =
                    DeflateBlocksReference.tokens(input, blocks.getInt(block * SegmentChain.BLOCK_BYTES));
            tokens.seek(pieces.getInt(from * SegmentChain.NOTE_BYTES));
            for (int end = place + bytes; place < end; ) {
                if (tokens.step() != DeflateBlocksReference.Tokens.Step.TOKEN || tokens.length() > end - place) {
                    throw new AssertionError("a run that is not the piece's");
                }
                if (tokens.distance() > place - firstPlace) {
                    defect.putInt(0, 1);
                }
                for (int i = 0; i < tokens.length(); i++, place++) {
                    boolean literal = tokens.distance() == 0 || tokens.distance() > place;
                    int source = literal ? VALUE | tokens.literal() & 0xff : place - tokens.distance();
                    sources.putInt(Integer.BYTES * place, source);
                }
            }
        }
    }

    private static void produce(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int placeCount = arguments.int32("place_count");
        ByteBuffer sources = memory.at(arguments.int64("sources"), (long) Integer.BYTES * placeCount);
        ByteBuffer output = memory.at(arguments.int64("bytes"), placeCount);
        byte[] bytes = new byte[placeCount];
        for (int place = 0; place < placeCount; place++) {
            int source = sources.getInt();
            bytes[place] = source < 0 ? (byte) source : source < place ? bytes[source] : 0;
        }
        output.put(
                SegmentChain.HISTORY_BYTES, bytes, SegmentChain.HISTORY_BYTES, placeCount - SegmentChain.HISTORY_BYTES);
    }
}
