package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.DirectChunkDecompressor;
import io.warpcodec.hadoop.Payloads;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DirectDecompressionCodec;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A {@link DirectChunkDecompressor} judges each page by itself, as a stream of the codec judges a file. */
@Timeout(300)
class DirectDecompressorTest {
    private static final byte CANARY = 0x5a;
    private static final byte[] NEXT = Payloads.text(7000, 3);

    static Stream<Arguments> codecsAndKinds() {
        return Arrays.stream(CodecUnderTest.values())
                .flatMap(format -> Stream.of(Arguments.of(format, true), Arguments.of(format, false)));
    }

    private static DirectChunkDecompressor decompressor(CompressionCodec codec) {
        return (DirectChunkDecompressor) ((DirectDecompressionCodec) codec).createDirectDecompressor();
    }

    private static ByteBuffer buffer(byte[] bytes, boolean direct) {
        return direct ? ByteBuffer.allocateDirect(bytes.length).put(bytes).flip() : ByteBuffer.wrap(bytes.clone());
    }

    /** What becomes of one page: its raw bytes, or the class of the exception. */
    private record Verdict(byte[] raw, Class<? extends Throwable> error) {
        static Verdict ofStream(CompressionCodec codec, byte[] page) {
            try {
                return new Verdict(Coding.decompress(codec, page), null);
            } catch (IOException refused) {
                return new Verdict(null, refused.getClass());
            }
        }
    }

    /** Decodes a page into one target with canaries around it. */
    private static void requireVerdict(
            DirectChunkDecompressor decompressor, byte[] page, int room, boolean direct, Verdict expected, String what)
            throws IOException {
        byte[] canaries = new byte[room + 2];
        Arrays.fill(canaries, CANARY);
        ByteBuffer target = buffer(canaries, direct).position(1).limit(1 + room);
        ByteBuffer source = buffer(page, direct);
        if (expected.error() != null) {
            assertThatThrownBy(() -> readOn(decompressor, source, target))
                    .as(what)
                    .isInstanceOf(expected.error());
            assertThat(decompressor.finished()).as(what).isFalse();
        } else {
            decompressor.decompress(source, target);
            byte[] got = new byte[target.position() - 1];
            target.get(1, got);
            assertThat(Arrays.equals(got, Arrays.copyOf(expected.raw(), Math.min(room, expected.raw().length))))
                    .as(what)
                    .isTrue();
            assertThat(decompressor.finished()).as(what).isEqualTo(expected.raw().length <= room);
        }
        assertThat(source.hasRemaining()).as(what).isFalse();
        assertThat(target.limit()).isEqualTo(1 + room);
        target.clear();
        assertThat(target.get(0)).as("before the target").isEqualTo(CANARY);
        assertThat(target.get(1 + room)).as("behind the target").isEqualTo(CANARY);
    }

    /** Decodes a page; where damage has made it longer than its target, also what does not fit. */
    private static void readOn(DirectChunkDecompressor decompressor, ByteBuffer source, ByteBuffer target)
            throws IOException {
        decompressor.decompress(source, target);
        while (!decompressor.finished()) {
            decompressor.decompress(source, ByteBuffer.allocate(10_000));
        }
    }

    /** The page, cut and changed in many ways, as it is last. */
    private static List<byte[]> damaged(byte[] page, boolean flips) {
        List<byte[]> pages = new ArrayList<>();
        for (int left = 1; left < page.length; left += left < 8 ? 1 : left / 2) {
            pages.add(Arrays.copyOf(page, left));
        }
        for (int lacking = Math.min(12, page.length - 1); lacking > 0; lacking--) {
            pages.add(Arrays.copyOf(page, page.length - lacking));
        }
        int step = Math.max(1, page.length / 20);
        for (int at = 0; flips && at < page.length; at += at > page.length - 12 ? 1 : step) {
            byte[] flipped = page.clone();
            flipped[at] ^= 0x55;
            pages.add(flipped);
        }
        pages.add(page);
        return pages;
    }

    @ParameterizedTest
    @MethodSource("codecsAndKinds")
    void aPageIsWhatAStreamSaysOfItWhateverThePageBeforeWas(CodecUnderTest format, boolean direct) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] next = Coding.compress(codec, NEXT);
        Verdict nextIsGood = new Verdict(NEXT, null);
        boolean flips = format != CodecUnderTest.LZ4_HADOOP && format != CodecUnderTest.SNAPPY;
        for (int rawBytes : new int[] {0, 1, 50_000, 600_000}) {
            byte[] raw = Payloads.text(rawBytes, 2);
            for (byte[] page : damaged(Coding.compress(codec, raw), flips)) {
                Verdict verdict = Verdict.ofStream(codec, page);
                for (int room : new int[] {rawBytes, rawBytes + 1, 2 * rawBytes + 100}) {
                    DirectChunkDecompressor decompressor = decompressor(codec);
                    String what = rawBytes + " raw bytes, page of " + page.length + ", room for " + room;
                    requireVerdict(decompressor, next, NEXT.length, direct, nextIsGood, "before " + what);
                    requireVerdict(decompressor, page, room, direct, verdict, what);
                    requireVerdict(decompressor, next, NEXT.length, direct, nextIsGood, "behind " + what);
                    requireVerdict(decompressor, next, NEXT.length + 1, direct, nextIsGood, "and again " + what);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("codecsAndKinds")
    void aPageThatItsTargetCannotTakeIsReadInSeveralCalls(CodecUnderTest format, boolean direct) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] raw = Payloads.text(700_000, 21);
        byte[] page = Bytes.concat(Coding.compress(codec, raw), Coding.compress(codec, raw));
        DirectChunkDecompressor decompressor = decompressor(codec);
        for (int space : new int[] {1000, 70_000, raw.length, 2 * raw.length, 3 * raw.length}) {
            ByteBuffer source = buffer(page, direct);
            ByteBuffer target = buffer(new byte[space], direct);
            Bytes content = new Bytes();
            do {
                decompressor.decompress(source, target.clear());
                byte[] got = new byte[target.flip().remaining()];
                target.get(got);
                content.put(got);
            } while (!decompressor.finished());
            assertThat(Arrays.equals(content.toArray(), Bytes.concat(raw, raw)))
                    .as("targets of " + space)
                    .isTrue();
            decompressor.decompress(source, target.clear());
            assertThat(target.position()).as("behind the end").isZero();
            assertThat(decompressor.finished()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPageThatIsGivenUpLeavesNothingToTheNextOne(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        byte[] large = Coding.compress(codec, Payloads.text(700_000, 5));
        byte[] next = Coding.compress(codec, NEXT);
        DirectChunkDecompressor decompressor = decompressor(codec);
        for (boolean resets : new boolean[] {true, false}) {
            decompressor.decompress(ByteBuffer.wrap(large), ByteBuffer.allocate(1000));
            assertThat(decompressor.finished()).isFalse();
            if (resets) {
                decompressor.reset();
            }
            requireVerdict(decompressor, next, NEXT.length, false, new Verdict(NEXT, null), "resets " + resets);
        }
        decompressor.reset();
        assertThat(decompressor.finished()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aPageOfNoBytesIsWhatTheFormatSaysOfIt(CodecUnderTest format) throws IOException {
        DirectChunkDecompressor decompressor = decompressor(format.codec());
        ByteBuffer nothing = ByteBuffer.allocateDirect(0);
        if (format.emptyFileIsEmpty()) {
            decompressor.decompress(nothing, ByteBuffer.allocate(10));
        } else {
            assertThatThrownBy(() -> decompressor.decompress(nothing, ByteBuffer.allocate(10)))
                    .isInstanceOf(EOFException.class);
        }
        assertThat(decompressor.finished()).isEqualTo(format.emptyFileIsEmpty());
    }

    @ParameterizedTest
    @EnumSource
    void aTargetThatCannotBeWrittenIsRefusedBeforeAnythingHappens(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        DirectChunkDecompressor decompressor = decompressor(codec);
        ByteBuffer source = ByteBuffer.wrap(Coding.compress(codec, NEXT));
        assertThatThrownBy(() ->
                        decompressor.decompress(source, ByteBuffer.allocate(10).asReadOnlyBuffer()))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThat(source.position()).isZero();
        ByteBuffer target = ByteBuffer.allocate(NEXT.length);
        decompressor.decompress(source, target);
        assertThat(target.array()).isEqualTo(NEXT);
    }
}
