package io.warpcodec.stream.zstd;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.VectorFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** {@code .zst}: frames of ours, of libzstd, and forged ones. */
class ZstdStreamTest {
    private static final StreamRig RIG = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS);
    private static final StreamRig SPARK = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withFraming(Framing.SPARK));

    private static ZstdForge forge() {
        return new ZstdForge();
    }

    /** A frame by libzstd's streaming encoder: no content size. */
    private static byte[] streamed(byte[] raw) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(sink, 3)) {
            out.setChecksum(true);
            out.write(raw);
        }
        return sink.toByteArray();
    }

    /** A frame by libzstd in one call: content size, no checksum. */
    private static byte[] whole(byte[] raw) {
        return Zstd.compress(raw, 3);
    }

    private static byte[] readByThem(byte[] file) throws IOException {
        try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private static void isRead(byte[] file, byte[] raw) throws IOException {
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.read(file, 1, 1000)).isEqualTo(raw);
        assertThat(RIG.push(file, 1, 1)).isEqualTo(raw);
        assertThat(RIG.push(file, 4096, 777)).isEqualTo(raw);
    }

    private static void isRefused(byte[] file, String reason) {
        assertThatThrownBy(() -> RIG.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> RIG.push(file, 1, 1))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
    }

    @TestFactory
    Stream<DynamicTest> theVectorsAreJudgedAsTheyShould() throws IOException {
        return new VectorFolder("zstd", Format.ZSTD, CodecOptions.DEFAULTS).tests();
    }

    /** Trino's and Presto's reader, which knows no skippable frames. */
    private static byte[] readByAircompressor(byte[] file) throws IOException {
        try (InputStream in = new io.airlift.compress.zstd.ZstdInputStream(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        }
    }

    @Test
    void whatWeWriteIsReadByLibzstdAircompressorAndUs() throws IOException {
        for (int size : new int[] {0, 1, 262143, 262144, 262145, 3_000_000}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size), new byte[size]}) {
                byte[] file = RIG.write(raw);
                assertThat(readByThem(file)).isEqualTo(raw);
                assertThat(readByAircompressor(file)).isEqualTo(raw);
                assertThat(RIG.read(file)).isEqualTo(raw);
                assertThat(RIG.push(file, 5000, 5000)).isEqualTo(raw);
            }
        }
    }

    @Test
    void everyFrameOfOursHasContentSizeAndChecksumAndNothingInBetween() throws IOException {
        byte[] file = RIG.write(text(600_000, 1));
        int at = 0;
        int left = 600_000;
        while (at < file.length) {
            assertThat(ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(at))
                    .isEqualTo(0xfd2fb528);
            assertThat(file[at + 4] & 4).isEqualTo(4);
            int raw = Math.min(left, 256 << 10);
            assertThat(Zstd.decompressedSize(file, at, file.length - at)).isEqualTo(raw);
            at += (int) Zstd.findFrameCompressedSize(file, at, file.length - at);
            left -= raw;
        }
        assertThat(at).isEqualTo(file.length);
        assertThat(left).isZero();
    }

    @Test
    void foreignFramesOfEverySizeAreReadAloneAndBehindEachOther() throws IOException {
        byte[] all = new byte[0];
        byte[] file = new byte[0];
        for (int size : new int[] {0, 1, 1000, 131072, 131073, 300_000, 3_000_000}) {
            byte[] raw = text(size, size);
            isReadByStream(streamed(raw), raw);
            isReadByStream(whole(raw), raw);
            file = concat(file, streamed(raw), whole(raw), RIG.write(raw));
            all = concat(all, raw, raw, raw);
        }
        isReadByStream(file, all);
    }

    private static void isReadByStream(byte[] file, byte[] raw) throws IOException {
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.push(file, 3000, 10_000)).isEqualTo(raw);
    }

    @Test
    void aFrameOfNoiseIsReadThroughASession() throws IOException {
        byte[] raw = noise(20 << 20, 3);
        byte[] file = whole(raw);
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.push(file, 100_000, 100_000)).isEqualTo(raw);
    }

    @Test
    void noBytesAreAnEofExceptionExceptInSparksStreams() throws IOException {
        assertThatThrownBy(() -> RIG.read(new byte[0])).isInstanceOf(EOFException.class);
        assertThat(SPARK.read(new byte[0])).isEmpty();
        assertThat(RIG.read(RIG.write(new byte[0]))).isEmpty();
        assertThat(SPARK.read(SPARK.write(new byte[0]))).isEmpty();
        assertThat(readByThem(SPARK.write(new byte[0]))).isEmpty();
    }

    @Test
    void sparksStreamsArePlainFramesThatSparkReadsConcatenated() throws IOException {
        byte[] raw = text(700_000, 1);
        byte[] ours = SPARK.write(raw);
        assertThat(ByteBuffer.wrap(ours).order(ByteOrder.LITTLE_ENDIAN).getInt())
                .isEqualTo(0xfd2fb528);
        ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(concat(ours, ours)));
        in.setContinuous(true);
        assertThat(in.readAllBytes()).isEqualTo(concat(raw, raw));
        assertThat(SPARK.read(concat(ours, streamed(raw), ours))).isEqualTo(concat(raw, raw, raw));
    }

    @Test
    void skippableFramesOfAnySizeArePassed() throws IOException {
        byte[] raw = text(1000, 1);
        for (int low = 0; low < 16; low++) {
            isRead(forge().skippable(low, noise(30, low)).put(whole(raw)).toArray(), raw);
        }
        isRead(forge().skippable(0, new byte[0]).skippable(14, new byte[9]).toArray(), new byte[0]);
        byte[] large = forge().put(whole(raw))
                .skippable(11, noise(200_000, 1))
                .put(whole(raw))
                .skippable(14, noise(100, 2))
                .toArray();
        isReadByStream(large, concat(raw, raw));
        assertThatThrownBy(() -> RIG.read(cut(large, large.length - 1))).isInstanceOf(EOFException.class);
        byte[] endless =
                forge().little(0x184d2a50L, 4).little(0xffff_ffffL, 4).put(raw).toArray();
        assertThatThrownBy(() -> RIG.read(endless)).isInstanceOf(EOFException.class);
    }

    @Test
    void bytesAfterTheLastFrameAreDeliveredBeforeTheError() throws IOException {
        byte[] raw = text(1000, 1);
        for (byte[] trail : new byte[][] {{0}, {1, 2, 3, 4, 5}, {0x28, 0x2f}, new byte[100]}) {
            byte[] file = concat(whole(raw), trail);
            for (int feed : new int[] {1, 10_000}) {
                ByteArrayOutputStream got = new ByteArrayOutputStream();
                assertThatThrownBy(() -> RIG.push(file, feed, 100, got)).isInstanceOf(IOException.class);
                assertThat(got.toByteArray()).isEqualTo(raw);
            }
            assertThatThrownBy(() -> RIG.read(file)).hasMessageContaining("after the last frame");
        }
    }

    @Test
    void reservedHeaderBitDictionariesAndLegacyFormatsAreRefused() {
        isRefused(
                forge().magic()
                        .little(8, 1)
                        .little(0, 1)
                        .rawBlock(new byte[0], true)
                        .toArray(),
                "reserved bit");
        for (int flag = 1; flag <= 3; flag++) {
            byte[] needs = forge().magic()
                    .little(flag, 1)
                    .little(0, 1)
                    .little(7, flag == 3 ? 4 : flag)
                    .rawBlock(new byte[5], true)
                    .toArray();
            isRefused(needs, "needs dictionary 7");
        }
        isRefused(forge().little(0xfd2fb527L, 4).put(new byte[20]).toArray(), "0.7 or older");
        isRefused(forge().little(0xfd2fb51eL, 4).put(new byte[20]).toArray(), "0.7 or older");
        isRefused(text(100, 1), "does not start with 28 b5 2f fd");
    }

    @Test
    void dictionaryZeroAndTheUnusedBitAreNothing() throws IOException {
        isRead(
                forge().magic()
                        .little(0x13, 1)
                        .little(0, 1)
                        .little(0, 4)
                        .rawBlock(text(5, 1), true)
                        .toArray(),
                text(5, 1));
    }

    @Test
    void rawAndRleBlocksOfEverySizeAreRead() throws IOException {
        byte[] zeros = new byte[131072];
        byte[] file = forge().header(20)
                .rleBlock(0, 131072, false)
                .rawBlock(text(70_000, 1), false)
                .rawBlock(new byte[0], false)
                .rleBlock(7, 0, false)
                .rleBlock('x', 3, true)
                .toArray();
        isReadByStream(file, concat(zeros, text(70_000, 1), "xxx".getBytes(StandardCharsets.US_ASCII)));
        isRead(forge().header(10).rawBlock(text(1024, 1), true).toArray(), text(1024, 1));
        isRead(forge().singleSegment(0).rawBlock(new byte[0], true).toArray(), new byte[0]);
    }

    @Test
    void blocksOverTheFramesLimitAndReservedBlocksAreRefused() {
        isRefused(
                forge().header(20).blockHeader(ZstdForge.RESERVED_TYPE, 0, true).toArray(), "reserved type");
        isRefused(forge().header(20).rawBlock(new byte[131073], true).toArray(), "over the frame's limit");
        isRefused(forge().header(20).rleBlock(1, 131073, true).toArray(), "over the frame's limit");
        isRefused(
                forge().header(20)
                        .blockHeader(2, 131073, true)
                        .put(noise(131073, 1))
                        .toArray(),
                "limit of 131072");
        isRefused(forge().header(10).rawBlock(new byte[1025], true).toArray(), "over the frame's limit of 1024");
        isRefused(forge().singleSegment(10).rleBlock(1, 11, true).toArray(), "over the frame's limit of 10");
    }

    /**
     * However the bytes come, and whatever stands in front: a tree of one byte of weights, which has not the bits of
     * two states.
     */
    @Test
    void aTruncatedTreeIsNoticedInASessionToo() {
        int probabilities = 17 << 4 | 31 << 9;
        byte[] block = forge().little(2, 1)
                .little(0, 2)
                .little(3, 1)
                .little(probabilities, 2)
                .little(1, 1)
                .put(new byte[20])
                .toArray();
        for (int before = 0; before < 3; before++) {
            ZstdForge file = forge().header(20);
            for (int i = 0; i < before; i++) {
                file.rleBlock('x', 131072, false);
            }
            byte[] bad = file.blockHeader(ZstdForge.COMPRESSED, block.length, true)
                    .put(block)
                    .toArray();
            for (int feedBytes : new int[] {1, 5, 1000}) {
                assertThatThrownBy(() -> RIG.push(bad, feedBytes, 4096))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("Huffman weights end before");
            }
        }
    }

    @Test
    void aContentSizeThatLiesIsRefused() {
        for (long declared : new long[] {0, 999, 1001, 5000, 1L << 40, 1L << 63, -1, -2}) {
            byte[] file =
                    forge().header(20, declared).rawBlock(text(1000, 1), true).toArray();
            assertThatThrownBy(() -> RIG.read(file)).as("%d", declared).isInstanceOf(CorruptDataException.class);
            assertThatThrownBy(() -> RIG.push(file, 1, 1)).isInstanceOf(CorruptDataException.class);
        }
        assertThatThrownBy(() -> RIG.read(
                        forge().header(20, 1 << 20).rleBlock(1, 100_000, true).toArray()))
                .isInstanceOf(CorruptDataException.class);
    }

    @Test
    void windowsAreAcceptedUpTo128MiBAndBeyondOnlyForContentWithinTheBudget() throws IOException {
        byte[] raw = text(200_000, 1);
        byte[] body = forge().rawBlock(cut(raw, 131072), false)
                .rawBlock(Arrays.copyOfRange(raw, 131072, 200_000), true)
                .toArray();
        isReadByStream(forge().header(27).put(body).toArray(), raw);
        isRefused(forge().header(41).put(body).toArray(), "window of 2199023255552 bytes");
        isRefused(forge().header(32, raw.length).put(body).toArray(), "window of 4294967296 bytes");
        for (int log : new int[] {28, 31}) {
            isReadByStream(forge().header(log).put(body).toArray(), raw);
            isReadByStream(forge().header(log, raw.length).put(body).toArray(), raw);
        }
        isRefused(forge().header(31, 17 << 20).put(body).toArray(), "window of 2147483648 bytes");
        ZstdForge undeclared = forge().header(28);
        for (int i = 0; i <= 128; i++) {
            undeclared.rleBlock('x', 131072, i == 128);
        }
        isRefused(undeclared.toArray(), "window of 268435456 bytes");
        isRefused(forge().singleSegment(0x8000_0001L).put(body).toArray(), "window of 2147483649 bytes");
    }

    @Test
    void aWindowOverTheLimitIsReadInManyPiecesToo() throws IOException {
        byte[] raw = text(3_000_000, 5);
        // at this level the window is smaller than the content
        byte[] plain = Zstd.compress(raw, 1);
        assertThat(plain[4] & 0x20).as("has a window").isZero();
        plain[5] = (byte) (31 - 10 << 3);
        isReadByStream(plain, raw);
    }

    @Test
    void everyTruncationIsAnEofException() throws IOException {
        byte[][] frames = {RIG.write(text(700, 1)), whole(text(300, 2)), streamed(text(500, 3))};
        byte[] file = concat(frames);
        int first = frames[0].length;
        int second = first + frames[1].length;
        for (int bytes = 0; bytes < file.length; bytes++) {
            byte[] part = cut(file, bytes);
            if (bytes == first || bytes == second) {
                assertThat(RIG.read(part)).hasSize(bytes == first ? 700 : 1000);
                continue;
            }
            assertThatThrownBy(() -> RIG.read(part)).as("cut at %d", bytes).isInstanceOf(EOFException.class);
            if (bytes > 0) {
                assertThatThrownBy(() -> RIG.push(part, 7, 9)).isInstanceOf(TruncatedDataException.class);
            }
        }
    }

    @Test
    void everyFlippedBitIsNoticedOrHarmless() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] file = RIG.write(raw);
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] bad = flipped(file, bit);
            byte[] got;
            try {
                got = RIG.read(bad);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
                continue;
            }
            // the checksum flag may vanish with what it guards; content never
            assertThat(got).as("bit %d", bit).isEqualTo(raw);
        }
    }

    @Test
    void damagedFramesGetTheSameVerdictAsAChunkAndInPieces() throws IOException {
        byte[] file = streamed(text(200, 1));
        byte[] sized = whole(text(200, 1));
        for (byte[] good : new byte[][] {file, sized}) {
            for (int bit = 0; bit < good.length * 8; bit++) {
                byte[] bad = flipped(good, bit);
                assertThat(outcome(() -> RIG.push(bad, 11, 50)))
                        .as("bit %d", bit)
                        .isEqualTo(outcome(() -> RIG.read(bad)));
            }
        }
    }

    private interface Decoding {
        byte[] run() throws IOException;
    }

    private static String outcome(Decoding decoding) {
        try {
            return Arrays.toString(decoding.run());
        } catch (IOException bad) {
            return "bad";
        }
    }

    @Test
    void markedFramesAreReadAloneAndBehindEachOther() throws IOException {
        byte[] raw = text(5000, 1);
        byte[] file = ZstdForge.marked(RIG.write(raw), raw.length);
        isRead(file, raw);
        isReadByStream(concat(file, file, RIG.write(raw), file), concat(raw, raw, raw, raw));
    }

    @Test
    void aMarkerThatLiesIsPassedLikeAnyOther() throws IOException {
        byte[] raw = text(5000, 1);
        byte[] file = ZstdForge.marked(RIG.write(raw), raw.length);
        for (int field : new int[] {20, 24}) {
            for (int delta : new int[] {-1, 1, 100, 1 << 30}) {
                byte[] lie = file.clone();
                ByteBuffer bytes = ByteBuffer.wrap(lie).order(ByteOrder.LITTLE_ENDIAN);
                bytes.putInt(field, bytes.getInt(field) + delta);
                isReadByStream(lie, raw);
                isReadByStream(concat(lie, file), concat(raw, raw));
            }
        }
        byte[] unknown = file.clone();
        unknown[16] = 99;
        isReadByStream(unknown, raw);
    }

    /** The size of a chunk is that of its frame, whatever the marker in front of it says. */
    @Test
    void aMarkerThatLiesAboutRawBytesTellsNoEngine() throws IOException {
        byte[] raw = text(5000, 1);
        byte[] file = ZstdForge.marked(RIG.write(raw), raw.length);
        List<Integer> sizes = new ArrayList<>();
        Engines.installAccelerator(new ForwardingEngine() {
            @Override
            public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
                chunks.forEach(chunk -> sizes.add(chunk.rawBytes()));
                return super.decode(format, options, chunks);
            }
        });
        for (int delta : new int[] {0, -1, 1, 100}) {
            byte[] lie = file.clone();
            ByteBuffer bytes = ByteBuffer.wrap(lie).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(24, bytes.getInt(24) + delta);
            assertThat(RIG.read(lie)).isEqualTo(raw);
        }
        assertThat(sizes).containsExactly(raw.length, raw.length, raw.length, raw.length);
    }

    @Test
    void goodFilesAreReadRightAfterBadOnes() throws IOException {
        byte[] raw = text(100_000, 1);
        byte[] good = RIG.write(raw);
        for (int i = 0; i < 50; i++) {
            byte[] bad = flipped(good, (good.length - 1 - i % 4) * 8 + i % 8);
            assertThatThrownBy(() -> RIG.read(bad)).isInstanceOf(IOException.class);
            assertThat(RIG.read(good)).isEqualTo(raw);
        }
    }
}
