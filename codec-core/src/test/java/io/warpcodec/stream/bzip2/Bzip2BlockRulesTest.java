package io.warpcodec.stream.bzip2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.Bzip2Forge.Block;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.junit.jupiter.api.Test;

/** One test for each rule of a bzip2 block and its stream. */
class Bzip2BlockRulesTest {
    private static final StreamRig RIG = new StreamRig(Format.BZIP2, CodecOptions.DEFAULTS);
    private static final int[] ABC = {'a', 'b', 'c'};
    /** Ends a block of {@link #ABC}. */
    private static final int END = 4;

    private static Block plain() {
        return Block.of(ABC, 0, 2, 1, 3, 0, 2, 3, END);
    }

    private static void assertRead(Block block) throws IOException {
        byte[] file = Bzip2Forge.streamOf(block);
        assertThat(RIG.read(file)).isEqualTo(block.raw());
        assertThat(RIG.push(file, 1, 1)).isEqualTo(block.raw());
    }

    private static void assertRefused(Block block, String reason) {
        assertRefused(Bzip2Forge.streamOf(block), reason);
    }

    private static void assertRefused(byte[] file, String reason) {
        assertThatThrownBy(() -> RIG.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> RIG.push(file, 1, 1)).isInstanceOf(IOException.class);
    }

    @Test
    void theForgeMakesWhatOthersRead() throws IOException {
        Block block = plain();
        assertRead(block);
        assertThat(new BZip2CompressorInputStream(new ByteArrayInputStream(Bzip2Forge.streamOf(block))).readAllBytes())
                .isEqualTo(block.raw());
    }

    @Test
    void theNumberOfPrefixCodesIsTwoToSix() throws IOException {
        for (int groups = 0; groups <= 7; groups++) {
            Block block = plain();
            block.groups = groups;
            if (groups >= 2 && groups <= 6) {
                assertRead(block);
            } else {
                assertRefused(block, "the number of prefix codes is " + groups);
            }
        }
    }

    @Test
    void selectorsOutOfRangeAreRefused() {
        Block block = plain();
        block.selectorRanks = new int[] {2};
        assertRefused(block, "selector 0 is out of range");
    }

    @Test
    void noSelectorsAreRefused() {
        Block block = plain();
        block.declaredSelectors = 0;
        assertRefused(block, "there are no selectors");
    }

    @Test
    void aBlockThatNeedsMoreSelectorsIsRefused() {
        int[] symbols = new int[120];
        Arrays.fill(symbols, 2);
        symbols[119] = END;
        Block block = Block.of(ABC, symbols);
        block.selectorRanks = new int[2];
        assertRefused(block, "there are more symbols than selectors");
    }

    @Test
    void surplusSelectorsAreIgnored() throws IOException {
        for (int count : new int[] {2, 18_002, 18_003, 32_767}) {
            Block block = plain();
            block.selectorRanks = new int[count];
            block.selectorRanks[count - 1] = 1;
            assertRead(block);
        }
    }

    @Test
    void codeLengthsAreOneToTwenty() throws IOException {
        for (int length : new int[] {0, 21}) {
            Block block = plain();
            block.lengths = new int[][] {{3, 3, length, 3, 3}, {3, 3, 3, 3, 3}};
            assertRefused(block, "a code length is " + length);
        }
        Block longest = plain();
        longest.lengths = new int[][] {{1, 2, 20, 20, 3}, {3, 3, 3, 3, 3}};
        assertRead(longest);
        Block shortest = Block.of(ABC, 0, 1, END);
        shortest.lengths = new int[][] {{1, 2, 3, 4, 4}, {1, 1, 1, 1, 1}};
        assertRead(shortest);
    }

    @Test
    void codeLengthsMayGoToAndFro() throws IOException {
        Block block = plain();
        block.detours = 20_000;
        assertRead(block);
    }

    @Test
    void bitsThatAreNoWordOfTheirCodeAreRefused() {
        byte[] file = Bzip2Forge.streamOf(plain());
        Block block = plain();
        block.lengths = new int[][] {{4, 4, 4, 4, 4}, {4, 4, 4, 4, 4}};
        block.crc = 0;
        byte[] incomplete =
                new Bzip2Forge().header("BZh9").block(block).put(-1, 20).end().toArray();
        assertThat(incomplete).isNotEqualTo(file);
        block.symbols = new int[] {0, 2};
        assertRefused(
                new Bzip2Forge().header("BZh9").block(block).put(-1, 20).end().toArray(),
                "a symbol's bits are no word of its code");
    }

    @Test
    void theRowOfTheTextMustLieInTheBlock() throws IOException {
        Block block = plain();
        int length = 8;
        block.origPtr = length - 1;
        assertRead(block);
        block.origPtr = length;
        assertRefused(block, "the row of the original text is " + length);
        block.origPtr = 900_000;
        assertRefused(block, "the row of the original text is 900000");
    }

    @Test
    void aBlockWithoutSymbolsInUseIsRefused() {
        Block block = Block.of(new int[0], 1);
        assertRefused(block, "no symbol is in use");
    }

    @Test
    void anEmptyBlockIsRefused() {
        assertRefused(Block.of(ABC, END), "the row of the original text is 0 of 0");
    }

    @Test
    void aRunOfTooManyDigitsIsRefused() {
        int[] symbols = new int[30];
        symbols[29] = END;
        Block endless = Block.of(ABC, symbols);
        endless.crc = 0;
        assertRefused(endless, "a run is too long");
        int[] digits = new int[22];
        digits[21] = END;
        Block longest = Block.of(ABC, digits);
        longest.crc = 0;
        assertRefused(longest, "it is larger than its stream's level allows");
    }

    @Test
    void aBlockMustNotBeLargerThanItsLevel() throws IOException {
        Block exact = Block.of(ABC, runOf(100_000));
        assertThat(new Bzip2Forge().header("BZh1").block(exact).end().toArray())
                .satisfies(file -> assertThat(RIG.read(file)).isEqualTo(exact.raw()));
        Block over = Block.of(ABC, runOf(100_001));
        assertRefused(
                new Bzip2Forge().header("BZh1").block(over).end().toArray(),
                "it is larger than its stream's level allows");
        byte[] file = new Bzip2Forge().header("BZh2").block(over).end().toArray();
        assertThat(RIG.read(file)).isEqualTo(over.raw());
        int[] afterRun = Arrays.copyOf(runOf(100_000), runOf(100_000).length + 1);
        afterRun[afterRun.length - 2] = 2;
        afterRun[afterRun.length - 1] = END;
        assertRefused(
                new Bzip2Forge()
                        .header("BZh1")
                        .block(Block.of(ABC, afterRun))
                        .end()
                        .toArray(),
                "it is larger than its stream's level allows");
    }

    /**
     * The digits of one run, and the end. Digits 1 and 2 of n are the bits of n + 1 behind its first, 0 for 1 and 1
     * for 2.
     */
    private static int[] runOf(int count) {
        String binary = Integer.toBinaryString(count + 1).substring(1);
        int[] symbols = new int[binary.length() + 1];
        for (int i = 0; i < binary.length(); i++) {
            symbols[i] = binary.charAt(binary.length() - 1 - i) - '0';
        }
        symbols[binary.length()] = END;
        return symbols;
    }

    @Test
    void aRunWithoutItsLengthIsRefused() {
        // "aaaa" and nothing more
        assertRefused(Block.of(ABC, runOf(4)), "it ends where a run's length should be");
    }

    @Test
    void randomisedBlocksAreRead() throws IOException {
        Random random = new Random(1);
        int[] symbols =
                IntStream.generate(() -> 2 + random.nextInt(2)).limit(5000).toArray();
        symbols[4999] = END;
        Block block = Block.of(ABC, symbols);
        block.origPtr = 7;
        byte[] plain = block.raw();
        block.randomised = true;
        assertThat(block.raw()).isNotEqualTo(plain);
        assertRead(block);
        assertThat(new BZip2CompressorInputStream(new ByteArrayInputStream(Bzip2Forge.streamOf(block))).readAllBytes())
                .isEqualTo(block.raw());
    }

    @Test
    void wrongChecksumsAreRefused() {
        Block block = plain();
        block.crc = 1;
        assertRefused(block, "its CRC is wrong");
        assertRefused(new Bzip2Forge().header("BZh9").block(plain()).end(1).toArray(), "the combined CRC");
        assertRefused(new Bzip2Forge().header("BZh9").end(1).toArray(), "the combined CRC");
    }

    @Test
    void headersOtherThanBzh1ToBzh9AreRefused() throws IOException {
        for (String header : new String[] {"BZh0", "BZh:", "BZ09", "Bzh9", "xZh9"}) {
            assertRefused(new Bzip2Forge().header(header).block(plain()).end().toArray(), "not a bzip2 stream");
            byte[] second = new Bzip2Forge()
                    .header("BZh9")
                    .end()
                    .header(header)
                    .block(plain())
                    .end()
                    .toArray();
            assertRefused(second, "bytes after the last bzip2 stream");
        }
        assertThat(RIG.read(new Bzip2Forge().header("BZh1").end().toArray())).isEmpty();
    }

    @Test
    void whatIsNeitherBlockNorEndIsRefused() {
        assertRefused(
                new Bzip2Forge()
                        .header("BZh9")
                        .put(0x314159265358L, 48)
                        .put(0, 48)
                        .toArray(),
                "neither a bzip2 block");
        byte[] gap =
                new Bzip2Forge().header("BZh9").block(plain()).put(0, 1).end().toArray();
        assertRefused(gap, "neither a bzip2 block");
    }

    @Test
    void aBlockBeforeDamageIsDelivered() throws IOException {
        byte[] gap =
                new Bzip2Forge().header("BZh9").block(plain()).put(0, 100).end().toArray();
        byte[] noEnd = new Bzip2Forge().header("BZh9").block(plain()).toArray();
        for (byte[] file : new byte[][] {gap, noEnd}) {
            try (ChunkedInputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file), Format.BZIP2, CodecOptions.DEFAULTS)) {
                assertThat(in.readNBytes(plain().raw().length)).isEqualTo(plain().raw());
                assertThatThrownBy(in::read).isInstanceOf(IOException.class);
            }
        }
        assertThatThrownBy(() -> RIG.read(noEnd)).isInstanceOf(EOFException.class);
    }

    @Test
    void magicsInsideABlockAreNotTakenForBlocks() throws IOException {
        Random random = new Random(3);
        for (int shift = 0; shift < 8; shift++) {
            int[] symbols = random.ints(400, 2, 255).toArray();
            embed(symbols, 100, 0x314159265359L);
            embed(symbols, 200, 0x177245385090L);
            embed(symbols, 300, 0x314159265359L);
            symbols[399] = 255;
            Block block = Block.ofBytes(symbols);
            // an earlier block moves this one to another bit
            Block before = Block.of(ABC, 2, END);
            before.detours = shift;
            before.lengths[0] = new int[] {3 + shift % 2, 3, 3, 3, 3};
            byte[] file = new Bzip2Forge()
                    .header("BZh9")
                    .block(before)
                    .block(block)
                    .block(before)
                    .end()
                    .toArray();
            byte[] raw = StreamRig.concat(before.raw(), block.raw(), before.raw());
            assertThat(RIG.read(file)).isEqualTo(raw);
            assertThat(RIG.push(file, 1, 1)).isEqualTo(raw);
            assertThat(RIG.push(file, 4096, 100)).isEqualTo(raw);
        }
    }

    /** Puts a magic in the symbols of a block of bytes. */
    static void embed(int[] symbols, int at, long magic) {
        for (int i = 0; i < 6; i++) {
            symbols[at + i] = (int) (magic >>> 40 - 8 * i) & 0xff;
        }
    }
}
