package io.warpcodec.stream.bzip2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.Bzip2Forge.Block;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.SplitRange;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which split owns which block, and the positions that line readers go by. */
class Bzip2SplitTest {
    /** A file, its blocks' content, and for each the byte in which its magic starts; 0 for the first. */
    private static final class Sample {
        final Bzip2Forge forge = new Bzip2Forge();
        final List<byte[]> blocks = new ArrayList<>();
        final List<Long> starts = new ArrayList<>();
        byte[] file;

        Sample block(Block block) {
            starts.add(blocks.isEmpty() ? 0L : forge.bitCount() / 8L);
            blocks.add(block.raw());
            forge.block(block);
            return this;
        }

        Sample done() {
            file = forge.toArray();
            return this;
        }

        /** Index of the block that a split from this byte on starts with; the number of blocks if there is none. */
        int firstBlock(int start) {
            int block = 0;
            while (block < starts.size() && starts.get(block) < start) {
                block++;
            }
            return block;
        }

        ChunkedInputStream open(int start, long end) {
            SeekableBytes source = new SeekableBytes(file);
            return new ChunkedInputStream(
                    source, Format.BZIP2, CodecOptions.DEFAULTS, new SplitRange(start, end, source::seek));
        }
    }

    private static final class SeekableBytes extends ByteArrayInputStream {
        SeekableBytes(byte[] bytes) {
            super(bytes);
        }

        void seek(long offset) {
            pos = (int) offset;
        }
    }

    /** A block of noise, with magics inside that start nothing. */
    private static Block noise(long seed) {
        int[] symbols = new Random(seed).ints(90, 2, 255).toArray();
        Bzip2BlockRulesTest.embed(symbols, 30, 0x314159265359L);
        Bzip2BlockRulesTest.embed(symbols, 50, 0x177245385090L);
        symbols[89] = 255;
        return Block.ofBytes(symbols);
    }

    private static Block small(int value) {
        return Block.of(new int[] {value, value + 1, value + 2}, 0, 2, 3, 1, 2, 4);
    }

    private static Sample twoStreams() {
        Sample sample = new Sample();
        sample.forge.header("BZh9");
        sample.block(small('a')).block(noise(1)).block(small('d')).block(noise(2));
        sample.forge.end().header("BZh1");
        sample.block(noise(3)).block(small('g'));
        sample.forge.end();
        return sample.done();
    }

    @Test
    void aSplitStartsWithTheFirstBlockWhoseMagicStartsInIt() throws IOException {
        Sample sample = twoStreams();
        for (int start = 0; start <= sample.file.length; start++) {
            int block = sample.firstBlock(start);
            try (ChunkedInputStream in = sample.open(start, Long.MAX_VALUE)) {
                if (block == sample.blocks.size()) {
                    assertThat(in.read()).isEqualTo(-1);
                    continue;
                }
                assertThat(in.position()).as("split at %d", start).isEqualTo(sample.starts.get(block));
                ByteArrayOutputStream rest = new ByteArrayOutputStream();
                sample.blocks.subList(block, sample.blocks.size()).forEach(rest::writeBytes);
                assertThat(in.readAllBytes()).as("split at %d", start).isEqualTo(rest.toByteArray());
            }
        }
    }

    @Test
    void thePositionMovesWithTheFirstByteOfABlock() throws IOException {
        Sample sample = twoStreams();
        for (int end = 1; end <= sample.file.length; end += 3) {
            try (ChunkedInputStream in = sample.open(0, end)) {
                assertThat(in.position()).isZero();
                for (int block = 0; block < sample.blocks.size(); block++) {
                    long expected = block == 0 ? 0 : sample.starts.get(block) + 1;
                    byte[] buffer = new byte[1000];
                    int got = in.read(buffer, 0, 1);
                    assertThat(in.position()).isEqualTo(expected);
                    while (got < sample.blocks.get(block).length) {
                        got += in.read(buffer, got, buffer.length - got);
                        assertThat(in.position()).isEqualTo(expected);
                    }
                    assertThat(got).isEqualTo(sample.blocks.get(block).length);
                }
                assertThat(in.read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aSplitWithoutABlockOfItsOwnIsEmptyAndLiesBehindItsEnd() throws IOException {
        Sample sample = twoStreams();
        for (int block = 1; block + 1 < sample.blocks.size(); block++) {
            int start = sample.starts.get(block).intValue() + 1;
            int end = sample.starts.get(block + 1).intValue();
            try (ChunkedInputStream in = sample.open(start, end)) {
                assertThat(in.position()).isGreaterThan(end);
                assertThat(in.read()).isEqualTo(-1);
            }
        }
    }

    /** A block is one by what stands behind it: other bits follow this one, whose own are all legal. */
    @Test
    void aBlockWithoutAMagicBehindItIsNoSyncPoint() throws IOException {
        Sample sample = new Sample();
        sample.forge.header("BZh9");
        sample.block(small('a')).block(noise(1));
        int lonely = sample.forge.bitCount() / 8;
        sample.forge.block(small('d')).put(0x0123_4567_89ab_cdefL, 64);
        sample.block(small('g'));
        sample.forge.end();
        sample.done();
        for (int start = sample.starts.get(1).intValue() + 1; start <= sample.starts.get(2); start++) {
            try (ChunkedInputStream in = sample.open(start, Long.MAX_VALUE)) {
                assertThat(in.position())
                        .as("split at %d, the lonely block at %d", start, lonely)
                        .isEqualTo(sample.starts.get(2));
                assertThat(in.readAllBytes()).isEqualTo(sample.blocks.get(2));
            }
        }
    }

    @Test
    void splitsThatStartInTheFilesHeaderSkipTheFirstBlock() throws IOException {
        Sample sample = twoStreams();
        for (int start = 1; start <= 4; start++) {
            try (ChunkedInputStream in = sample.open(start, 1000)) {
                assertThat(in.position()).isEqualTo(sample.starts.get(1));
            }
        }
    }

    @Test
    void aSplitInMidStreamChecksBlocksButNotTheStream() throws IOException {
        Sample wrongSum = new Sample();
        wrongSum.forge.header("BZh9");
        wrongSum.block(small('a')).block(noise(1));
        wrongSum.forge.end(1);
        wrongSum.done();
        try (ChunkedInputStream in = wrongSum.open(10, Long.MAX_VALUE)) {
            assertThat(in.readAllBytes()).isEqualTo(wrongSum.blocks.get(1));
        }
        Block bad = noise(4);
        bad.crc = 1;
        Sample wrongBlock = new Sample();
        wrongBlock.forge.header("BZh9");
        wrongBlock.block(small('a')).block(bad).block(noise(5));
        wrongBlock.forge.end();
        wrongBlock.done();
        try (ChunkedInputStream in = wrongBlock.open(10, Long.MAX_VALUE)) {
            assertThatThrownBy(in::readAllBytes).isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void aFileThatIsNotBzip2HasNoSyncPoints() throws IOException {
        Sample sample = twoStreams();
        sample.file[0] = 'x';
        try (ChunkedInputStream in = sample.open(10, Long.MAX_VALUE)) {
            assertThat(in.read()).isEqualTo(-1);
        }
        try (ChunkedInputStream in = sample.open(0, 10)) {
            assertThatThrownBy(in::read).isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void manyFalseMagicsOnTheWayDoNotKeepASearchBusy() throws IOException {
        // each magic starts a legal header with selectors for a large block, and zeros are symbols that go on and on
        Block lure = Block.of(IntStream.range(0, 19).toArray(), 0);
        for (int[] code : lure.lengths) {
            Arrays.setAll(code, symbol -> Math.min(symbol + 1, 20));
        }
        lure.selectorRanks = new int[18_002];
        Bzip2Forge bits = new Bzip2Forge().header("BZh9x");
        for (int i = 0; i < 200; i++) {
            bits.block(lure);
        }
        byte[] file = StreamRig.concat(bits.toArray(), new byte[1_200_000]);
        SeekableBytes source = new SeekableBytes(file);
        try (ChunkedInputStream in = new ChunkedInputStream(
                source, Format.BZIP2, CodecOptions.DEFAULTS, new SplitRange(5, Long.MAX_VALUE, source::seek))) {
            assertThatThrownBy(in::read)
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("too many false block magics");
        }
    }
}
