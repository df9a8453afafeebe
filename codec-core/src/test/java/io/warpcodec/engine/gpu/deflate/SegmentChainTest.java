package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.lease.InputBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What devices note and what the stream holds may be anything: the chain ends, stays within its tables, its input and
 * its output, and throws nothing.
 */
class SegmentChainTest {
    private static final int TRIALS = 200_000;
    private static final int BLOCK_LIMIT = 6;
    private static final int PIECE_LIMIT = 8;
    private static final int RUN_LIMIT = 10;

    private final Random random = new Random(5);

    private static ByteBuffer table(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Mostly small, now and then extreme. */
    private int number(int usual) {
        return switch (random.nextInt(12)) {
            case 0 -> random.nextInt();
            case 1 -> Integer.MAX_VALUE - random.nextInt(3);
            case 2 -> -random.nextInt(3);
            default -> random.nextInt(usual);
        };
    }

    @Test
    void nonsenseEndsTheChain() {
        for (int trial = 0; trial < TRIALS; trial++) {
            ByteBuffer input = table(64 + random.nextInt(6000));
            random.nextBytes(input.array());
            if (random.nextBoolean()) {
                // stored blocks one behind the other
                for (int at = 0; at + 5 <= input.limit(); ) {
                    int length = random.nextInt(40);
                    input.put(at, (byte) 0).putShort(at + 1, (short) length).putShort(at + 3, (short) ~length);
                    at += 5 + length;
                }
            }
            int bits = input.limit() * Byte.SIZE;
            int outputBytes = SegmentChain.HISTORY_BYTES + random.nextInt(5000);
            boolean open = random.nextInt(3) == 0;
            int bit = random.nextInt(open ? bits : 8);
            ByteBuffer runs = table(RUN_LIMIT * SegmentChain.RUN_BYTES);
            ByteBuffer blocks = table(BLOCK_LIMIT * SegmentChain.BLOCK_BYTES);
            SegmentChain chain = new SegmentChain(
                    InputBytes.of(input),
                    bit,
                    open ? random.nextInt(bit + 1) : -1,
                    20,
                    outputBytes,
                    BLOCK_LIMIT,
                    PIECE_LIMIT,
                    blocks,
                    runs);
            chain.list(
                    random.ints(random.nextInt(10), 0, bits).sorted().distinct().toArray());
            ByteBuffer blockNotes = table(BLOCK_LIMIT * SegmentChain.NOTE_BYTES);
            ByteBuffer pieceNotes = table(PIECE_LIMIT * SegmentChain.NOTE_BYTES);
            int turns = 0;
            do {
                for (int at = 0; at < BLOCK_LIMIT * SegmentChain.NOTE_BYTES; at += SegmentChain.NOTE_BYTES) {
                    blockNotes.putInt(at, number(bits)).putInt(at + 4, number(bits));
                    blockNotes.putInt(at + 8, number(5)).putInt(at + 12, number(3));
                }
                for (int at = 0; at < PIECE_LIMIT * SegmentChain.NOTE_BYTES; at += SegmentChain.NOTE_BYTES) {
                    pieceNotes.putInt(at, number(bits)).putInt(at + 4, number(bits));
                    pieceNotes.putInt(at + 8, number(3000)).putInt(at + 12, number(5));
                }
                turns++;
            } while (chain.follow(blockNotes, pieceNotes));
            assertThat(turns).as("trial %d", trial).isLessThanOrEqualTo(9);
            assertThat(chain.outputAt()).as("trial %d", trial).isBetween(SegmentChain.HISTORY_BYTES, outputBytes);
            assertThat(chain.bit()).as("trial %d", trial).isBetween(bit, bits);
            assertThat(chain.blockCount()).isLessThanOrEqualTo(BLOCK_LIMIT);
            assertThat(chain.pieceCount()).isLessThanOrEqualTo(PIECE_LIMIT);
            assertThat(chain.runCount()).isLessThanOrEqualTo(RUN_LIMIT);
            requireRunsFillTheOutput(chain, runs);
            int place = chain.outputAt();
            boolean wasOpen = chain.openHeaderBit() >= 0;
            chain.rewindToBlockStart();
            assertThat(chain.outputAt()).isBetween(SegmentChain.HISTORY_BYTES, place);
            assertThat(chain.bit()).as("trial %d", trial).isBetween(bit, bits);
            assertThat(chain.openHeaderBit() >= 0 && !open).isFalse();
            assertThat(wasOpen || chain.outputAt() == place).isTrue();
            requireRunsFillTheOutput(chain, runs);
        }
    }

    // ---- one thing wrong

    private static final int INPUT_BYTES = 4000;
    private static final int ENDED = 1;
    private static final int BAD = 2;

    /**
     * A chain over this input that begins with a block at bit 0, of which a search has found it, and what it made of
     * the first notes.
     */
    private static SegmentChain followed(ByteBuffer input, int[] candidates, ByteBuffer blockNotes) {
        SegmentChain chain = new SegmentChain(
                InputBytes.of(input),
                0,
                -1,
                0,
                SegmentChain.HISTORY_BYTES + 5000,
                BLOCK_LIMIT,
                PIECE_LIMIT,
                table(BLOCK_LIMIT * SegmentChain.BLOCK_BYTES),
                table(RUN_LIMIT * SegmentChain.RUN_BYTES));
        chain.list(candidates);
        chain.follow(blockNotes, table(PIECE_LIMIT * SegmentChain.NOTE_BYTES));
        return chain;
    }

    /** Zeros, in which the block at bit 0 has dynamic codes. */
    private static ByteBuffer dynamicBlock() {
        return table(INPUT_BYTES).put(0, (byte) (2 << 1));
    }

    private static ByteBuffer note(int tokenBit, int endBit, int ending, int pieces) {
        return table(BLOCK_LIMIT * SegmentChain.NOTE_BYTES)
                .putInt(0, tokenBit)
                .putInt(4, endBit)
                .putInt(8, ending)
                .putInt(12, pieces);
    }

    private static ByteBuffer storedBlock(int length, int complement) {
        // behind it a block of the reserved type, so that the chain ends there in any case
        return table(INPUT_BYTES)
                .put(0, (byte) 0)
                .putShort(1, (short) length)
                .putShort(3, (short) complement)
                .put(5 + length, (byte) (3 << 1));
    }

    @Test
    void aStoredBlockIsPassedOver() {
        SegmentChain chain = followed(storedBlock(100, ~100), new int[0], note(0, 0, 0, 0));
        assertThat(chain.bit()).isEqualTo((5 + 100) * Byte.SIZE);
        assertThat(chain.outputAt()).isEqualTo(SegmentChain.HISTORY_BYTES + 100);
    }

    @Test
    void aStoredBlockWhoseLengthsDisagreeIsADefect() {
        SegmentChain chain = followed(storedBlock(100, ~100 ^ 1 << 9), new int[0], note(0, 0, 0, 0));
        assertThat(chain.defect()).isTrue();
        assertThat(chain.bit()).isZero();
        assertThat(chain.outputAt()).isEqualTo(SegmentChain.HISTORY_BYTES);
    }

    @Test
    void aHeaderThatIsWholeAndBadIsADefect() {
        SegmentChain chain = followed(dynamicBlock(), new int[] {0}, note(0, 0, BAD, 0));
        assertThat(chain.defect()).isTrue();
        assertThat(chain.bit()).isZero();
    }

    @Test
    void aHeaderThatMayGoOnBehindTheInputIsNone() {
        ByteBuffer shorter = table(SegmentChain.MAX_HEADER_BITS / Byte.SIZE).put(0, (byte) (2 << 1));
        SegmentChain chain = followed(shorter, new int[] {0}, note(0, 0, BAD, 0));
        assertThat(chain.defect()).isFalse();
        assertThat(chain.bit()).isZero();
    }

    @Test
    void theLongestHeaderIsTakenAndALongerOneIsADefect() {
        int longest = SegmentChain.MAX_HEADER_BITS;
        SegmentChain taken = followed(dynamicBlock(), new int[] {0}, note(longest, longest + 9, ENDED, 0));
        assertThat(taken.bit()).isGreaterThanOrEqualTo(longest + 9);
        SegmentChain longer = followed(dynamicBlock(), new int[] {0}, note(longest + 1, longest + 9, ENDED, 0));
        assertThat(longer.defect()).isTrue();
        assertThat(longer.bit()).isZero();
    }

    /** One behind the other. */
    private static void requireRunsFillTheOutput(SegmentChain chain, ByteBuffer runs) {
        int place = SegmentChain.HISTORY_BYTES;
        assertThat(runs.position()).isEqualTo(chain.runCount() * SegmentChain.RUN_BYTES);
        for (int at = 0; at < runs.position(); at += SegmentChain.RUN_BYTES) {
            assertThat(runs.getInt(at)).isEqualTo(place);
            place += runs.getInt(at + 4);
        }
        assertThat(chain.outputAt()).isEqualTo(place);
    }

    /** Bits of an empty block with fixed codes: three of its header, and seven zeros that end it. */
    private static final int EMPTY_FIXED_BITS = 10;

    private static void putEmptyFixed(ByteBuffer input, int bit) {
        int at = (bit + 1) / Byte.SIZE;
        input.put(at, (byte) (input.get(at) | 1 << (bit + 1) % Byte.SIZE));
    }

    @Test
    void emptyFixedBlocksAreHoppedOverFromAnyBit() {
        for (int blocks = 1; blocks <= 8; blocks++) {
            ByteBuffer input = table(200);
            for (int block = 0; block < blocks; block++) {
                putEmptyFixed(input, block * EMPTY_FIXED_BITS);
            }
            int storedAt = (blocks * EMPTY_FIXED_BITS + 3 + Byte.SIZE - 1) / Byte.SIZE;
            input.putShort(storedAt, (short) 20).putShort(storedAt + 2, (short) ~20);
            SegmentChain chain = followed(input, new int[0], note(0, 0, 0, 0));
            assertThat(chain.outputAt()).isEqualTo(SegmentChain.HISTORY_BYTES + 20);
            assertThat(chain.blockCount()).isEqualTo(0);
        }
    }

    @Test
    void aLastEmptyFixedBlockEndsTheStream() {
        ByteBuffer input = table(100);
        putEmptyFixed(input, 0);
        input.put(0, (byte) (input.get(0) | 1));
        SegmentChain chain = followed(input, new int[0], note(0, 0, 0, 0));
        assertThat(chain.ended()).isTrue();
        assertThat(chain.bit()).isEqualTo(EMPTY_FIXED_BITS);
    }

    @Test
    void aFixedBlockWithATokenIsAdded() {
        ByteBuffer input = table(100);
        putEmptyFixed(input, 0);
        input.put(1, (byte) 2);
        SegmentChain chain = followed(input, new int[0], note(0, 0, 0, 0));
        assertThat(chain.bit()).isZero();
        assertThat(chain.blockCount()).isEqualTo(1);
    }

    /** Stored blocks in turns with fixed ones of one byte, twenty of each: how many of these a segment adds. */
    @ParameterizedTest
    @CsvSource({"1000, 8", "20000, 11", "32768, 16", "65535, 20"})
    void aFixedBlockIsAddedForSoMuchOutput(int storedBytes, int added) {
        int pairs = 20;
        int pairBytes = 5 + storedBytes + 2;
        ByteBuffer input = table(pairs * pairBytes + SegmentChain.MARGIN_BITS);
        for (int at = 0; at < pairs * pairBytes; at += pairBytes) {
            input.putShort(at + 1, (short) storedBytes).putShort(at + 3, (short) ~storedBytes);
            // its header and a code that is not the end's
            input.put(at + 5 + storedBytes, (byte) 0x0a);
        }
        int limit = pairs + 1;
        SegmentChain chain = new SegmentChain(
                InputBytes.of(input),
                0,
                -1,
                0,
                SegmentChain.HISTORY_BYTES + pairs * (storedBytes + 1),
                limit,
                2 * limit * pairBytes,
                table(limit * SegmentChain.BLOCK_BYTES),
                table(pairs * (storedBytes / 1024 + 2) * SegmentChain.RUN_BYTES));
        chain.list(new int[0]);
        ByteBuffer notes = table(limit * SegmentChain.NOTE_BYTES);
        ByteBuffer pieceNotes = table(2 * limit * pairBytes * SegmentChain.NOTE_BYTES);
        int blocks = 0;
        while (chain.follow(notes, pieceNotes) && chain.blockCount() > blocks) {
            int fixed = (blocks + 1) * pairBytes - 2;
            int note = blocks * SegmentChain.NOTE_BYTES;
            notes.putInt(note, fixed * Byte.SIZE + 3)
                    .putInt(note + 4, fixed * Byte.SIZE + 16)
                    .putInt(note + 8, ENDED);
            blocks = chain.blockCount();
        }
        assertThat(blocks).isEqualTo(added);
    }

    /** Stored and with fixed codes: no space in the output and no run would bound what one call walks past. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCallTakesABoundedNumberOfEmptyBlocks(boolean stored) {
        int count = 3 * SegmentChain.MOST_HOPS_A_PASS + 100;
        ByteBuffer input = table(5 * count + SegmentChain.MARGIN_BITS);
        for (int block = 0; block < count; block++) {
            if (stored) {
                input.putShort(5 * block + 3, (short) -1);
            } else {
                putEmptyFixed(input, block * EMPTY_FIXED_BITS);
            }
        }
        int[] looks = new int[1];
        InputBytes bytes = InputBytes.of(input);
        SegmentChain chain = new SegmentChain(
                new InputBytes() {
                    @Override
                    public int length() {
                        return bytes.length();
                    }

                    @Override
                    public int at(int index) {
                        looks[0]++;
                        return bytes.at(index);
                    }
                },
                0,
                -1,
                0,
                SegmentChain.HISTORY_BYTES + 5000,
                BLOCK_LIMIT,
                PIECE_LIMIT,
                table(BLOCK_LIMIT * SegmentChain.BLOCK_BYTES),
                table(RUN_LIMIT * SegmentChain.RUN_BYTES));
        ByteBuffer notes = table(BLOCK_LIMIT * SegmentChain.NOTE_BYTES);
        int calls = 1;
        while (chain.follow(notes, notes)) {
            assertThat(looks[0]).isLessThanOrEqualTo(10 * SegmentChain.MOST_HOPS_A_PASS);
            assertThat(chain.blockCount()).isZero();
            looks[0] = 0;
            calls++;
        }
        assertThat(calls).isEqualTo(4);
        assertThat(chain.bit()).isGreaterThanOrEqualTo(count * (stored ? 5 * Byte.SIZE : EMPTY_FIXED_BITS));
    }
}
