package io.warpcodec.engine.gpu.zstd;

import static io.warpcodec.forge.ZstdBlockForge.noSequences;
import static io.warpcodec.forge.ZstdBlockForge.rawLiterals;
import static io.warpcodec.forge.ZstdBlockForge.sequences;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.engine.zstd.ZstdTable;
import io.warpcodec.forge.ZstdBlockForge;
import io.warpcodec.forge.ZstdForge;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Where segments of a frame end, and what is known behind them. Blocks are not decoded here. */
class ZstdSegmentTest {
    private static final int MAX_BLOCK_BYTES = 128 << 10;
    private static final int LIMIT = 8 << 20;
    private static final int REPEATED = 0xfc;
    private static final int PREDEFINED = 0;

    private static byte[] rawBlock(int bytes, boolean last) {
        return new ZstdForge()
                .blockHeader(ZstdForge.RAW, bytes, last)
                .put(new byte[bytes])
                .toArray();
    }

    /** A compressed block whose three tables are given by these modes. */
    private static byte[] block(int modes, byte... tables) {
        return new ZstdBlockForge()
                .sequences(sequences(1, modes, tables, new byte[] {1, 1, 1, 1}))
                .block(false);
    }

    private static byte[] withoutSequences() {
        return new ZstdBlockForge()
                .literals(rawLiterals(new byte[9]))
                .sequences(noSequences())
                .block(false);
    }

    private static byte[] all(byte[]... blocks) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Arrays.stream(blocks).forEach(out::writeBytes);
        return out.toByteArray();
    }

    private static ZstdSegment segment(byte[] input, int limit) {
        return segment(input, MAX_BLOCK_BYTES, limit);
    }

    private static ZstdSegment segment(byte[] input, int expectedBlockBytes, int limit) {
        return segment(input, expectedBlockBytes, limit, Long.MAX_VALUE);
    }

    private static ZstdSegment segment(byte[] input, int expectedBlockBytes, int limit, long restBytes) {
        return new ZstdSegment(
                ByteBuffer.wrap(input), ZstdPosition.BEGIN, MAX_BLOCK_BYTES, expectedBlockBytes, limit, restBytes);
    }

    private static ByteBuffer raw(int bytes) {
        byte[] raw = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            raw[i] = (byte) (i % 251);
        }
        return ByteBuffer.wrap(raw);
    }

    @Test
    void moreBlocksFitThatAreExpectedToBeShort() {
        byte[][] parts = new byte[20][];
        Arrays.fill(parts, block(PREDEFINED));
        parts[7] = rawBlock(3_000, false);
        byte[] input = all(parts);
        int limit = 2 * MAX_BLOCK_BYTES;
        ZstdSegment sure = segment(input, limit);
        assertThat(sure.inputBytes()).isEqualTo(2 * parts[0].length);
        assertThat(sure.isOptimistic()).isFalse();
        ZstdSegment likely = segment(input, 1_000, limit);
        assertThat(likely.inputBytes()).isEqualTo(input.length);
        assertThat(likely.mostRawBytes()).isEqualTo(limit);
        assertThat(likely.isOptimistic()).isTrue();
        assertThat(likely.meanBlockBytes(3_000 + 19 * 777)).isEqualTo(777);
        assertThat(segment(rawBlock(100, false), limit).meanBlockBytes(100)).isEqualTo(MAX_BLOCK_BYTES);
    }

    /** Twenty blocks might decode to 2.5 MiB; a content size says that they do not. */
    @Test
    void whatIsLeftOfTheFrameBoundsIt() {
        byte[][] parts = new byte[20][];
        Arrays.fill(parts, block(PREDEFINED));
        byte[] input = all(parts);
        int limit = 2 * MAX_BLOCK_BYTES;
        ZstdSegment whole = segment(input, MAX_BLOCK_BYTES, limit, 100_000);
        assertThat(whole.inputBytes()).isEqualTo(input.length);
        assertThat(whole.mostRawBytes()).isEqualTo(100_000);
        assertThat(whole.isOptimistic()).isTrue();
        assertThat(segment(input, MAX_BLOCK_BYTES, limit, limit).inputBytes()).isEqualTo(input.length);
        ZstdSegment part = segment(input, MAX_BLOCK_BYTES, limit, limit + 1);
        assertThat(part.inputBytes()).isEqualTo(2 * parts[0].length);
        assertThat(part.mostRawBytes()).isEqualTo(limit);
    }

    @Test
    void itTakesWhatIsAtHandAndFits() {
        byte[] first = block(PREDEFINED);
        byte[] both = all(first, rawBlock(50_000, false));
        int most = MAX_BLOCK_BYTES + 50_000;
        assertThat(segment(both, LIMIT).inputBytes()).isEqualTo(both.length);
        assertThat(segment(both, LIMIT).mostRawBytes()).isEqualTo(most);
        assertThat(segment(both, most).inputBytes()).isEqualTo(both.length);
        assertThat(segment(Arrays.copyOf(both, both.length - 1), LIMIT).inputBytes())
                .isEqualTo(first.length);
        assertThat(segment(both, most - 1).inputBytes()).isEqualTo(first.length);
        // what a compressed block decodes to is not known before
        byte[] coded = block(PREDEFINED);
        assertThat(segment(coded, MAX_BLOCK_BYTES).inputBytes()).isEqualTo(coded.length);
        assertThat(segment(coded, MAX_BLOCK_BYTES - 1).inputBytes()).isZero();
    }

    /** A device takes one block for each 2 KiB, and 16 more. */
    @Test
    void tinyBlocksEndItUntilLongOnesFollow() {
        byte[] tiny = all(
                Arrays.stream(new int[100]).mapToObj(i -> rawBlock(10, false)).toArray(byte[][]::new));
        byte[] first = block(PREDEFINED);
        // its 128 KiB are enough for 64 blocks and the 16 that are free
        assertThat(segment(all(first, tiny), LIMIT).inputBytes()).isEqualTo(first.length + 79 * 13);
        byte[] longOnes = all(rawBlock(100_000, false), rawBlock(100_000, false));
        byte[] whole = all(first, tiny, longOnes);
        assertThat(segment(whole, LIMIT).inputBytes()).isEqualTo(whole.length);
    }

    /** No dictionary says a table of one symbol: it must not be the last one where libzstd may have to go on. */
    @Test
    void itDoesNotEndBehindATableOfOneSymbol() {
        byte[] plain = block(PREDEFINED);
        byte[] one = block(ZstdBlockForge.ONE_SYMBOL, (byte) 4, (byte) 2, (byte) 2);
        byte[] repeats = block(REPEATED);
        assertThat(segment(all(plain, one), LIMIT).inputBytes()).isEqualTo(plain.length);
        assertThat(segment(all(plain, one, repeats), LIMIT).inputBytes()).isEqualTo(plain.length);
        assertThat(segment(all(plain, one, repeats, repeats), LIMIT).inputBytes())
                .isEqualTo(plain.length);
        assertThat(segment(all(one), LIMIT).inputBytes()).isZero();
        byte[] behind = all(plain, one, repeats, plain, plain);
        assertThat(segment(behind, LIMIT).inputBytes()).isEqualTo(behind.length);
        // where the next block has tables of its own, the border before it is one again
        assertThat(segment(all(plain, one, one), LIMIT).inputBytes()).isEqualTo(all(plain, one).length);
        assertThat(segment(all(plain, one, withoutSequences()), LIMIT).inputBytes())
                .isEqualTo(plain.length);
    }

    /** A dictionary has tables of each kind: libzstd would not see that there were none to repeat. */
    @Test
    void itDoesNotEndBeforeTheFirstSequences() {
        byte[] none = all(rawBlock(100_000, false), withoutSequences());
        assertThat(segment(none, LIMIT).inputBytes()).isZero();
        byte[] first = all(none, block(PREDEFINED));
        assertThat(segment(first, LIMIT).inputBytes()).isEqualTo(first.length);
        assertThat(segment(all(none, block(REPEATED)), LIMIT).inputBytes()).isZero();
        byte[] last = rawBlock(100_000, true);
        assertThat(segment(last, LIMIT).inputBytes()).isEqualTo(last.length);
    }

    @Test
    void itEndsWithTheFrameWhateverTheTables() {
        byte[] one = block(ZstdBlockForge.ONE_SYMBOL, (byte) 4, (byte) 2, (byte) 2);
        byte[] frame = all(one, rawBlock(5, true), new byte[] {1, 2, 3, 4});
        ZstdSegment segment = segment(frame, LIMIT);
        assertThat(segment.inputBytes()).isEqualTo(frame.length - 4);
        ZstdPosition behind = segment.behind(raw(10), new int[] {77, 4, 8}, 1 << 20, new byte[0]);
        assertThat(behind.ended()).isTrue();
    }

    @Test
    void theLastBytesAndTablesAreKept() {
        byte[] tree = ZstdBlockForge.weights(1, 1);
        byte[] input = all(
                new ZstdBlockForge()
                        .literals(ZstdBlockForge.codedLiterals(3, tree, new byte[] {1}))
                        .sequences(noSequences())
                        .block(false),
                // literal lengths predefined, one offset, match lengths predefined
                block(0x10, (byte) 2),
                block(PREDEFINED));
        ZstdSegment segment = segment(input, LIMIT);
        ZstdPosition first = segment.behind(raw(700), new int[] {1, 2, 3}, 1000, new byte[0]);
        assertThat(first.history()).isEqualTo(raw(700).array());
        assertThat(first.tree()).isEqualTo(tree);
        assertThat(first.tables()).extracting(ZstdTable::mode).containsOnly(ZstdTable.PREDEFINED);
        assertThat(first.rawBytes()).isEqualTo(700);

        ZstdSegment next = new ZstdSegment(
                ByteBuffer.wrap(block(REPEATED)), first, MAX_BLOCK_BYTES, MAX_BLOCK_BYTES, LIMIT, Long.MAX_VALUE);
        ZstdPosition second = next.behind(raw(600), new int[] {999, 2, 3}, 1000, new byte[1000]);
        byte[] expected = Arrays.copyOfRange(all(raw(700).array(), raw(600).array()), 300, 1300);
        assertThat(second.history()).isEqualTo(expected);
        assertThat(second.tree()).isEqualTo(tree);
        assertThat(second.tables()).containsExactly(first.tables());
        assertThat(second.rawBytes()).isEqualTo(1300);
        assertThat(next.behind(raw(2000), new int[] {1, 2, 1001}, 1000, new byte[0]))
                .isNull();
        assertThat(next.behind(raw(2000), new int[] {0, 2, 3}, 1000, new byte[0]))
                .isNull();
        assertThat(next.behind(raw(2000), new int[] {1000, 2, 3}, 1000, new byte[0])
                        .history())
                .isEqualTo(Arrays.copyOfRange(raw(2000).array(), 1000, 2000));
    }

    /** What a device gets: a record, the history filled up, blocks that describe what was before, and the blocks. */
    @Test
    void theHistoryIsFilledUp() {
        byte[] history = raw(300).array();
        ZstdTable described = new ZstdTable(ZstdTable.DESCRIBED, new byte[] {5, 6, 7});
        ZstdTable predefined = new ZstdTable(ZstdTable.PREDEFINED, new byte[0]);
        ZstdPosition position = new ZstdPosition(
                history,
                new byte[] {9, 8},
                new ZstdTable[] {described, null, predefined},
                new int[] {7, 6, 5},
                300,
                false);
        byte[] blocks = withoutSequences();
        ByteBuffer input = ByteBuffer.wrap(all(new byte[3], blocks)).position(3);
        ZstdSegment segment = new ZstdSegment(input, position, MAX_BLOCK_BYTES, MAX_BLOCK_BYTES, LIMIT, Long.MAX_VALUE);
        ByteBuffer target = ByteBuffer.allocate(segment.deviceInputBytes()).order(ByteOrder.LITTLE_ENDIAN);
        segment.fill(target, input);
        int frameAt = target.getInt(0);
        assertThat(frameAt).isEqualTo(ZstdRecord.FIXED_BYTES + 4 * ZstdRecord.BLOCK_BYTES);
        assertThat(target.getInt(32)).as("history, filled up").isEqualTo(384);
        assertThat(target.getInt(36)).as("fill").isEqualTo(84);
        assertThat(new int[] {target.getInt(40), target.getInt(44), target.getInt(48)})
                .containsExactly(7, 6, 5);
        byte[] frame = Arrays.copyOfRange(target.array(), frameAt, target.capacity());
        assertThat(Arrays.copyOfRange(frame, 84, 384)).isEqualTo(history);
        assertThat(Arrays.copyOfRange(frame, 384, 386)).isEqualTo(new byte[] {9, 8});
        assertThat(Arrays.copyOfRange(frame, 387, 390)).isEqualTo(new byte[] {5, 6, 7});
        assertThat(Arrays.copyOfRange(frame, frame.length - blocks.length, frame.length))
                .isEqualTo(blocks);
    }
}
