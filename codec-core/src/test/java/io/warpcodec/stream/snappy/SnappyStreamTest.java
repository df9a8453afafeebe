package io.warpcodec.stream.snappy;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.SizedOptions;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.VectorFolder;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.xerial.snappy.Snappy;

/** {@code .snappy}: Hadoop's framing, forged field by field. */
class SnappyStreamTest {
    private static final StreamRig STRICT = new StreamRig(Format.SNAPPY, CodecOptions.DEFAULTS);
    private static final StreamRig LENIENT = new StreamRig(Format.SNAPPY, CodecOptions.DEFAULTS.withLenient(true));

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static byte[] inner(byte[] raw) throws IOException {
        byte[] body = Snappy.compress(raw);
        return concat(number(body.length), body);
    }

    /** An outer block of the size of all its inner chunks. */
    private static byte[] outer(byte[]... inners) throws IOException {
        int rawBytes = 0;
        byte[] chunks = new byte[0];
        for (byte[] raw : inners) {
            rawBytes += raw.length;
            chunks = concat(chunks, inner(raw));
        }
        return concat(number(rawBytes), chunks);
    }

    private static void isRead(byte[] file, byte[] raw) throws IOException {
        assertThat(STRICT.read(file)).isEqualTo(raw);
        assertThat(STRICT.read(file, 1, 1)).isEqualTo(raw);
        assertThat(STRICT.push(file, 1, 1)).isEqualTo(raw);
        assertThat(STRICT.push(file, 4096, 777)).isEqualTo(raw);
    }

    private static void isRefused(byte[] file, String reason) {
        assertThatThrownBy(() -> STRICT.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> STRICT.push(file, 1, 1)).isInstanceOf(IOException.class);
    }

    @TestFactory
    Stream<DynamicTest> theVectorsAreJudgedAsTheyShould() throws IOException {
        return new VectorFolder("hadoop-snappy", Format.SNAPPY, CodecOptions.DEFAULTS).tests();
    }

    @Test
    void weReadWhatWeWrite() throws IOException {
        for (int size : new int[] {0, 1, 65535, 65536, 65537, 1_000_000}) {
            assertThat(STRICT.read(STRICT.write(text(size, size)))).isEqualTo(text(size, size));
            assertThat(STRICT.read(STRICT.write(noise(size, size)))).isEqualTo(noise(size, size));
        }
    }

    @Test
    void whatWeWriteIsOuterBlocksOfChunksThatStockBuffersHold() throws IOException {
        byte[] raw = noise(300_000, 1);
        byte[] file = new StreamRig(Format.SNAPPY, CodecOptions.DEFAULTS.withChunkBytes(200_000)).write(raw);
        ByteBuffer rest = ByteBuffer.wrap(file);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        List<Integer> outers = new ArrayList<>();
        while (rest.hasRemaining()) {
            int left = rest.getInt();
            outers.add(left);
            while (left > 0) {
                byte[] body = new byte[rest.getInt()];
                rest.get(body);
                byte[] piece = Snappy.uncompress(body);
                assertThat(piece.length).isLessThanOrEqualTo(65536);
                got.write(piece);
                left -= piece.length;
            }
            assertThat(left).isZero();
        }
        assertThat(outers).containsExactly(200_000, 100_000);
        assertThat(got.toByteArray()).isEqualTo(raw);
        assertThat(STRICT.read(file)).isEqualTo(raw);
    }

    @Test
    void anEmptyStreamIsFourZeroBytesAndNoBytesAreOneToo() throws IOException {
        assertThat(STRICT.write(new byte[0])).isEqualTo(new byte[4]);
        isRead(new byte[4], new byte[0]);
        isRead(new byte[0], new byte[0]);
        isRead(new byte[4000], new byte[0]);
    }

    @Test
    void aBlockOfSizeZeroInTheMiddleIsReadOver() throws IOException {
        byte[] a = text(500, 1);
        byte[] b = text(700, 2);
        isRead(concat(outer(a), new byte[4], outer(b), new byte[12]), concat(a, b));
    }

    @Test
    void anOuterBlockMayHoldManyChunksOfAnySize() throws IOException {
        byte[] a = text(70_000, 1);
        byte[] b = text(1, 2);
        byte[] c = text(300_000, 3);
        isRead(outer(a, b, new byte[0], c), concat(a, b, c));
        byte[][] many = new byte[500][];
        for (int i = 0; i < many.length; i++) {
            many[i] = text(1 + i % 3, i);
        }
        isRead(outer(many), concat(many));
    }

    @Test
    void aLargeOuterBlockAndALargeChunkAreReadWithinTheBudget() throws IOException {
        byte[] large = text(3_000_000, 1);
        byte[] file = outer(large, text(10, 2));
        assertThat(STRICT.read(file)).isEqualTo(concat(large, text(10, 2)));
        assertThat(STRICT.push(file, 4096, 4096)).isEqualTo(concat(large, text(10, 2)));
        StreamRig small =
                new StreamRig(Format.SNAPPY, SizedOptions.withOutputBudgetBytes(CodecOptions.DEFAULTS, 1 << 20));
        assertThatThrownBy(() -> small.read(file))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("memory budget");
    }

    @Test
    void negativeAndZeroLengthsAreRefused() throws IOException {
        byte[] raw = text(100, 1);
        isRefused(concat(number(-1), inner(raw)), "outer block of -1");
        isRefused(concat(number(100), number(-5), inner(raw)), "chunk of -5");
        isRefused(concat(number(100), number(0), inner(raw)), "chunk of 0");
        isRefused(concat(number(100), number(Integer.MAX_VALUE), inner(raw)), "memory budget");
    }

    @Test
    void aChunkThatDeclaresMoreThanItsBlockHasLeftIsRefused() throws IOException {
        byte[] raw = text(100, 1);
        isRefused(concat(number(99), inner(raw)), "declares 100 bytes where at most 99 fit");
        isRefused(concat(number(150), inner(raw), inner(raw)), "declares 100 bytes where at most 50 fit");
    }

    @Test
    void aChunkThatDeclaresMoreThanItCanMakeIsRefusedBeforeMemoryIsTaken() {
        byte[] body = {(byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0, 'x'};
        isRefused(concat(number(0xffffff), number(body.length), body), "more than 6 bytes can make");
    }

    @Test
    void malformedSizesAreRefused() {
        byte[] endless = {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 1};
        isRefused(concat(number(10), number(6), endless), "size is malformed");
        isRefused(concat(number(10), number(1), new byte[] {(byte) 0x80}), "size is malformed");
        byte[] huge = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f, 0};
        isRefused(concat(number(10), number(6), huge), "declares 4294967295 bytes");
    }

    @Test
    void bodiesThatBreakSnappyAreRefused() {
        byte[] offsetZero = {8, 0, 'a', 0x0d, 0};
        isRefused(concat(number(8), number(offsetZero.length), offsetZero), "invalid");
        byte[] offsetTooFar = {8, 0, 'a', 0x0d, 2};
        isRefused(concat(number(8), number(offsetTooFar.length), offsetTooFar), "invalid");
        byte[] tooShort = {3, 0, 'a'};
        isRefused(concat(number(3), number(tooShort.length), tooShort), "invalid");
        byte[] tooLong = {1, 4, 'a', 'b'};
        isRefused(concat(number(1), number(tooLong.length), tooLong), "invalid");
    }

    @Test
    void whatCameBeforeTheDamageIsDelivered() throws IOException {
        byte[] a = text(5000, 1);
        byte[] file = concat(outer(a), number(-1));
        for (int feed : new int[] {1, 100, 10_000}) {
            ByteArrayOutputStream got = new ByteArrayOutputStream();
            assertThatThrownBy(() -> STRICT.push(file, feed, 64, got)).isInstanceOf(CorruptDataException.class);
            assertThat(got.toByteArray()).isEqualTo(a);
        }
    }

    @Test
    void everyTruncationInsideABlockIsAnEofException() throws IOException {
        byte[] first = outer(text(300, 1), text(200, 2));
        byte[] file = concat(first, outer(text(100, 3)));
        for (int bytes = 1; bytes < file.length; bytes++) {
            byte[] part = cut(file, bytes);
            if (bytes == first.length) {
                isRead(part, concat(text(300, 1), text(200, 2)));
            } else {
                assertThatThrownBy(() -> STRICT.read(part))
                        .as("cut at %d", bytes)
                        .isInstanceOf(EOFException.class);
                assertThatThrownBy(() -> STRICT.push(part, 7, 9)).isInstanceOf(TruncatedDataException.class);
            }
        }
    }

    @Test
    void noFlippedBitDoesWorseThanWrongBytesOrAnIoException() throws IOException {
        byte[] file = concat(outer(text(400, 1), text(100, 2)), outer(text(100, 3)));
        for (int bit = 0; bit < file.length * 8; bit++) {
            byte[] bad = flipped(file, bit);
            byte[] pulled = null;
            byte[] pushed = null;
            try {
                pulled = STRICT.read(bad);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
            }
            try {
                pushed = STRICT.push(bad, 3, 50);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
            }
            assertThat(pushed).as("bit %d", bit).isEqualTo(pulled);
        }
    }

    @Test
    void randomBytesNeverCrash() {
        Random random = new Random(7);
        for (int round = 0; round < 2000; round++) {
            byte[] file = noise(random.nextInt(200), round);
            ByteBuffer.wrap(file).limit(file.length);
            for (int at = 0; at + 4 <= file.length && at < 8; at += 4) {
                file[at] = 0;
                file[at + 1] = 0;
                file[at + 2] = (byte) random.nextInt(2);
            }
            try {
                STRICT.read(file);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
            }
        }
    }

    @Test
    void lenientlyATruncatedFilePassesAsComplete() throws IOException {
        byte[] a = text(300, 1);
        byte[] b = text(200, 2);
        byte[] whole = concat(outer(a, b), outer(b));
        int afterA = 4 + inner(a).length;
        int afterB = afterA + inner(b).length;
        for (int bytes = 0; bytes < whole.length; bytes++) {
            byte[] expected = bytes < afterA ? new byte[0] : bytes < afterB ? a : concat(a, b);
            assertThat(LENIENT.read(cut(whole, bytes))).as("cut at %d", bytes).isEqualTo(expected);
            assertThat(LENIENT.read(cut(whole, bytes), 1, 1)).isEqualTo(expected);
        }
    }

    @Test
    void lenientlyABlockOfSizeZeroAndAnOverlongBlockEndTheData() throws IOException {
        byte[] a = text(300, 1);
        assertThat(LENIENT.read(concat(outer(a), new byte[4], outer(a)))).isEqualTo(a);
        assertThat(LENIENT.read(concat(number(100), inner(a), outer(a)))).isEqualTo(a);
        assertThat(LENIENT.read(concat(outer(a), number(-7), inner(a)))).isEqualTo(a);
        assertThat(LENIENT.read(concat(number(300), number(0), inner(a), outer(a))))
                .isEqualTo(concat(a, a));
    }

    @Test
    void lenientlyABodyThatDoesNotDecodeIsStillAnError() {
        byte[] offsetZero = {8, 0, 'a', 0x0d, 0};
        assertThatThrownBy(() -> LENIENT.read(concat(number(8), number(offsetZero.length), offsetZero)))
                .isInstanceOf(CorruptDataException.class);
    }
}
