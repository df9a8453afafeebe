package io.warpcodec.engine.cpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.MixedBytes;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodeSession.State;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.format.gzip.GzipSeekPoint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;

/** Where blocks begin, as the index scan says, and zlib beginning there. */
class GzipResumeTest {
    private static final long SEED = 77L;
    private static final int WINDOW_BYTES = GzipSeekPoint.MAX_WINDOW_BYTES;

    /** A place that the index scan reported, and the window that it gave. */
    private record Found(GzipSeekPoint point, byte[] window) {}

    private static List<Found> scan(byte[] file) throws IOException {
        List<Found> found = new ArrayList<>();
        GzipSeekPoint end = new CpuEngine()
                .scanForSeekPoints(
                        CodecOptions.DEFAULTS,
                        new ByteArrayInputStream(file),
                        (point, window) -> found.add(new Found(point, window.get())));
        found.add(new Found(end, new byte[0]));
        return found;
    }

    /** One member of a DEFLATE stream. */
    private static byte[] member(byte[] raw, byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(raw);
        return ByteBuffer.allocate(10 + body.length + 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 255})
                .put(body)
                .putInt((int) crc.getValue())
                .putInt(raw.length)
                .array();
    }

    /** DEFLATE in pieces, each ended by a flush of this kind. */
    private static byte[] deflate(byte[] raw, int level, int strategy, int pieceBytes, int flush) {
        Deflater deflater = new Deflater(level, true);
        deflater.setStrategy(strategy);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 16];
        for (int at = 0; at < raw.length; at += pieceBytes) {
            deflater.setInput(raw, at, Math.min(pieceBytes, raw.length - at));
            for (int count; (count = deflater.deflate(buffer, 0, buffer.length, flush)) > 0; ) {
                out.write(buffer, 0, count);
            }
        }
        deflater.finish();
        while (!deflater.finished()) {
            out.write(buffer, 0, deflater.deflate(buffer));
        }
        deflater.end();
        return out.toByteArray();
    }

    private static byte[] text(int bytes) {
        Random random = new Random(SEED);
        byte[] raw = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            raw[i] = (byte) "warp and weft \n".charAt(random.nextInt(random.nextInt(15) + 1));
        }
        return raw;
    }

    /** Decodes from a place to the end of its member. */
    private static byte[] resume(byte[] file, Found from, int inputBytes, int outputBytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int at = (int) from.point.byteOffset();
        ByteBuffer room = ByteBuffer.allocate(outputBytes);
        try (DecodeSession session = new CpuEngine().resumeSession(CodecOptions.DEFAULTS, from.point, from.window)) {
            ByteBuffer input = ByteBuffer.wrap(file, at, Math.min(inputBytes, file.length - at));
            while (true) {
                State state = session.decode(input, room.clear());
                out.write(room.array(), 0, room.position());
                if (state == State.FINISHED) {
                    return out.toByteArray();
                }
                if (state == State.NEEDS_INPUT) {
                    assertThat(input.hasRemaining()).isFalse();
                    if (input.limit() == file.length) {
                        throw new EOFException(session.missing());
                    }
                    input = ByteBuffer.wrap(file, input.limit(), Math.min(inputBytes, file.length - input.limit()));
                }
            }
        }
    }

    private static void checkEveryPlace(byte[] file, byte[] raw, boolean[] bitsSeen) throws IOException {
        List<Found> found = scan(file);
        GzipSeekPoint end = found.remove(found.size() - 1).point;
        CRC32 crc = new CRC32();
        crc.update(raw);
        assertThat(end)
                .isEqualTo(new GzipSeekPoint(
                        8L * file.length, raw.length, (int) crc.getValue(), raw.length, (int) crc.getValue()));
        for (Found each : found.subList(1, found.size())) {
            int rawOffset = (int) each.point.rawOffset();
            assertThat(each.window)
                    .isEqualTo(Arrays.copyOfRange(raw, Math.max(0, rawOffset - WINDOW_BYTES), rawOffset));
            assertThat(resume(file, each, file.length, raw.length + 1))
                    .isEqualTo(Arrays.copyOfRange(raw, rawOffset, raw.length));
            bitsSeen[each.point.bit()] = true;
        }
    }

    @Test
    void zlibBeginsAtEveryBlockOfEveryLevelStrategyAndFlush() throws IOException {
        boolean[] bitsSeen = new boolean[8];
        byte[] raw = MixedBytes.of(400_000, SEED);
        for (int level = 0; level <= 9; level++) {
            for (int strategy : new int[] {Deflater.DEFAULT_STRATEGY, Deflater.FILTERED, Deflater.HUFFMAN_ONLY}) {
                byte[] body = deflate(raw, level, strategy, raw.length, Deflater.NO_FLUSH);
                checkEveryPlace(member(raw, body), raw, bitsSeen);
            }
        }
        for (int flush : new int[] {Deflater.SYNC_FLUSH, Deflater.FULL_FLUSH}) {
            byte[] few = Arrays.copyOf(raw, 60_000);
            for (int piece : new int[] {100, 777, 20_000}) {
                checkEveryPlace(member(few, deflate(few, 6, 0, piece, flush)), few, bitsSeen);
            }
        }
        assertThat(bitsSeen).containsOnly(true);
    }

    @Test
    void inputAndOutputMayComeByteByByte() throws IOException {
        byte[] raw = MixedBytes.of(3000, SEED + 1);
        byte[] file = member(raw, deflate(raw, 9, 0, 100, Deflater.SYNC_FLUSH));
        List<Found> found = scan(file);
        for (Found each : found.subList(1, found.size() - 1)) {
            byte[] rest = Arrays.copyOfRange(raw, (int) each.point.rawOffset(), raw.length);
            assertThat(resume(file, each, 1, 1)).isEqualTo(rest);
            assertThat(resume(file, each, 3, 1)).isEqualTo(rest);
            assertThat(resume(file, each, 1, 7)).isEqualTo(rest);
        }
    }

    /**
     * A match of 258 bytes in one bit for the length and one for the distance: a byte of input is a thousand of output.
     */
    @Test
    void theByteThatFrontAndInputShareMayDecodeToMuch() throws IOException {
        byte[] raw = new byte[300_000];
        byte[] file = member(raw, deflate(raw, 9, 0, 33_000, Deflater.SYNC_FLUSH));
        List<Found> found = scan(file);
        assertThat(found).hasSizeGreaterThan(10);
        for (Found each : found.subList(1, found.size() - 1)) {
            assertThat(resume(file, each, 1, 5)).hasSize(raw.length - (int) each.point.rawOffset());
        }
    }

    @Test
    void aDistanceBeyondTheWindowIsRefused() throws IOException {
        byte[] half = new byte[1000];
        new Random(SEED).nextBytes(half);
        byte[] raw = Arrays.copyOf(half, 2000);
        System.arraycopy(half, 0, raw, 1000, 1000);
        byte[] file = member(raw, deflate(raw, 9, 0, 1000, Deflater.SYNC_FLUSH));
        Found second = scan(file).stream()
                .filter(each -> each.point.rawOffset() == 1000)
                .findFirst()
                .orElseThrow();
        assertThat(second.window).hasSize(1000);
        assertThat(resume(file, second, file.length, 3000)).isEqualTo(half);
        // zlib never refers to the very first byte of a stream
        Found shorter = new Found(second.point, Arrays.copyOfRange(second.window, 2, 1000));
        assertThatThrownBy(() -> resume(file, shorter, file.length, 3000))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("too far back");
    }

    @Test
    void aWrongWindowOrSumIsNoticedAtTheTrailer() throws IOException {
        byte[] raw = text(90_000);
        byte[] file = member(raw, deflate(raw, 6, 0, 10_000, Deflater.SYNC_FLUSH));
        Found found = scan(file).get(6);
        byte[] window = found.window.clone();
        for (int i = 0; i < window.length; i++) {
            window[i]++;
        }
        GzipSeekPoint point = found.point;
        GzipSeekPoint wrongCrc = new GzipSeekPoint(
                point.bitOffset(), point.rawOffset(), point.rawCrc(), point.memberRawBytes(), point.memberCrc() ^ 1);
        GzipSeekPoint wrongSize = new GzipSeekPoint(
                point.bitOffset(), point.rawOffset(), point.rawCrc(), point.memberRawBytes() + 1, point.memberCrc());
        for (Found wrong : List.of(
                new Found(point, window), new Found(wrongCrc, found.window), new Found(wrongSize, found.window))) {
            assertThatThrownBy(() -> resume(file, wrong, file.length, 100_000))
                    .isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void aFileThatIsCutIsNoticedByBoth() throws IOException {
        byte[] raw = MixedBytes.of(2000, SEED + 3);
        byte[] file = member(raw, deflate(raw, 6, 0, 500, Deflater.SYNC_FLUSH));
        List<Found> found = scan(file);
        for (int bytes = 0; bytes < file.length; bytes++) {
            byte[] cut = Arrays.copyOf(file, bytes);
            assertThatThrownBy(() -> scan(cut)).isInstanceOf(EOFException.class);
            for (Found each : found.subList(1, found.size() - 1)) {
                if (each.point.byteOffset() < bytes) {
                    assertThatThrownBy(() -> resume(cut, each, 4, 100)).isInstanceOf(EOFException.class);
                }
            }
        }
    }

    /** The index scan accepts and refuses what the session does, and never delivers anything else. */
    @Test
    void theIndexScanJudgesDamagedFilesAsTheSessionDoes() throws IOException {
        byte[] raw = text(1500);
        byte[] file = member(raw, deflate(raw, 6, 0, 700, Deflater.SYNC_FLUSH));
        int refused = 0;
        for (int bit = 0; bit < 8 * file.length; bit++) {
            byte[] bad = file.clone();
            bad[bit >> 3] ^= (byte) (1 << (bit & 7));
            boolean sessionAccepts = accepts(() -> whole(bad));
            assertThat(accepts(() -> scan(bad))).as("bit " + bit).isEqualTo(sessionAccepts);
            refused += sessionAccepts ? 0 : 1;
        }
        assertThat(refused).isGreaterThan(7 * file.length);
    }

    @Test
    void theIndexScanChecksTheHeadersOwnSum() throws IOException {
        byte[] raw = text(100);
        byte[] plain = member(raw, deflate(raw, 6, 0, 100, 0));
        byte[] header = Arrays.copyOf(plain, 10);
        header[3] = 2; // FHCRC
        CRC32 crc = new CRC32();
        crc.update(header);
        for (int wrong : new int[] {0, 1, 0x8000}) {
            int sum = (int) crc.getValue() ^ wrong;
            byte[] file = ByteBuffer.allocate(plain.length + 2)
                    .put(header)
                    .put((byte) sum)
                    .put((byte) (sum >> 8))
                    .put(plain, 10, plain.length - 10)
                    .array();
            assertThat(accepts(() -> whole(file))).as("the session").isEqualTo(wrong == 0);
            assertThat(accepts(() -> scan(file))).as("the index scan").isEqualTo(wrong == 0);
        }
    }

    /** The format has 30 distances; the field can say 32. Every other field of the block is legal. */
    @Test
    void moreThanThirtyDistancesAreRefused() throws IOException {
        for (int distances = 30; distances <= 32; distances++) {
            byte[] file = member("aaa".getBytes(StandardCharsets.US_ASCII), blockOfThreeLetters(distances));
            assertThat(accepts(() -> whole(file)))
                    .as("the session, %d", distances)
                    .isEqualTo(distances == 30);
            assertThat(accepts(() -> scan(file)))
                    .as("the index scan, %d", distances)
                    .isEqualTo(distances == 30);
        }
    }

    /** A last block with codes of its own: 'a' and the end have one bit each, and no distance has a code. */
    private static byte[] blockOfThreeLetters(int distances) {
        BitRow row = new BitRow();
        row.put(1, 1);
        row.put(2, 2);
        row.put(0, 5); // HLIT: 257 literals
        row.put(distances - 1, 5); // HDIST
        row.put(18 - 4, 4); // HCLEN: up to the symbol 1
        for (int bits : new int[] {0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2}) {
            row.put(bits, 3);
        }
        zeros(row, 'a');
        row.put(0b11, 2); // the length 1
        zeros(row, 138);
        zeros(row, 255 - 'a' - 138);
        row.put(0b11, 2);
        zeros(row, distances);
        row.put(0b1000, 4); // a a a end
        return row.bytes();
    }

    /** The symbol 18: 11 to 138 zeros. */
    private static void zeros(BitRow row, int count) {
        row.put(0, 1);
        row.put(count - 11, 7);
    }

    private interface Attempt {
        Object run() throws IOException;
    }

    private static boolean accepts(Attempt attempt) {
        try {
            attempt.run();
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static byte[] whole(byte[] file) throws IOException {
        try (DecodeSession session = new GzipCpuSession(null)) {
            ByteBuffer room = ByteBuffer.allocate(1 << 20);
            ByteBuffer input = ByteBuffer.wrap(file);
            if (session.decode(input, room) != State.FINISHED || input.hasRemaining()) {
                throw new EOFException();
            }
            return Arrays.copyOf(room.array(), room.position());
        }
    }

    @Test
    void manyMembersAreScannedWithTheirSums() throws IOException {
        byte[] first = MixedBytes.of(50_000, 1);
        byte[] second = MixedBytes.of(70_000, 2);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        byte[] firstMember = member(first, deflate(first, 6, 0, 9_000, Deflater.SYNC_FLUSH));
        file.writeBytes(firstMember);
        file.writeBytes(member(new byte[0], deflate(new byte[0], 6, 0, 1, 0)));
        byte[] secondMember = member(second, deflate(second, 1, 0, 9_000, Deflater.SYNC_FLUSH));
        file.writeBytes(secondMember);
        int sound = file.size();
        file.writeBytes(new byte[3000]);
        List<Found> found = scan(file.toByteArray());
        GzipSeekPoint end = found.remove(found.size() - 1).point;
        assertThat(end.bitOffset()).isEqualTo(8L * sound);
        assertThat(end.rawOffset()).isEqualTo(120_000);
        assertThat(end.memberRawBytes()).isEqualTo(70_000);
        assertThat(found.stream().filter(each -> each.point.startsMember()).map(each -> each.point.byteOffset()))
                .containsExactly(0L, (long) firstMember.length, (long) sound - secondMember.length);
        CRC32 crc = new CRC32();
        byte[] raw = Arrays.copyOf(first, 120_000);
        System.arraycopy(second, 0, raw, 50_000, 70_000);
        int summed = 0;
        for (Found each : found) {
            crc.update(raw, summed, (int) each.point.rawOffset() - summed);
            summed = (int) each.point.rawOffset();
            assertThat(each.point.rawCrc()).isEqualTo((int) crc.getValue());
            if (!each.point.startsMember()) {
                boolean inFirst = each.point.memberRawBytes() == summed;
                assertThat(each.window.length).isEqualTo(Math.min(WINDOW_BYTES, inFirst ? summed : summed - 50_000));
                assertThat(resume(file.toByteArray(), each, 1 << 20, 1 << 20))
                        .isEqualTo(Arrays.copyOfRange(raw, summed, inFirst ? 50_000 : 120_000));
            }
        }
        file.write(1);
        assertThatThrownBy(() -> scan(file.toByteArray())).isInstanceOf(CorruptDataException.class);
    }

    /** Fixed codes: three bits of header, eight for each letter. */
    @Test
    void anOpenBlockOfFixedCodesIsTakenUpAtEveryToken() throws Exception {
        for (int start = 0; start < 8; start++) {
            BitRow row = new BitRow();
            row.put(0, start);
            row.put(0b01_1, 3);
            for (int i = 0; i < 9; i++) {
                row.put(Integer.reverse('a' + i + 0x30) >>> 24, 8);
            }
            row.put(0, 7);
            for (int token = 0; token <= 9; token++) {
                byte[] header = {0b01_1};
                byte[] got = takeUp(row.bytes(), start + 3 + 8 * token, "abcdefghi".substring(0, token), header, 3);
                assertThat(new String(got, StandardCharsets.US_ASCII)).isEqualTo("abcdefghi".substring(token));
            }
        }
    }

    /** The dynamic block that empty ones are made of has one bit for 255 and one for the end. */
    @Test
    void anOpenBlockOfDynamicCodesIsTakenUpAtEveryToken() throws Exception {
        BitPadding empty = BitPadding.endingAtBit(91);
        assertThat(empty.bitCount()).isEqualTo(91);
        for (int start = 0; start < 8; start++) {
            BitRow row = new BitRow();
            row.put(0, start);
            for (int i = 0; i < 90; i++) {
                row.put(i == 0 ? 1 : empty.bytes()[i >> 3] >> (i & 7), 1);
            }
            row.put(0, 20);
            row.put(1, 1);
            byte[] header = empty.bytes().clone();
            header[0] |= 1;
            for (int token = 0; token <= 20; token++) {
                byte[] got = takeUp(row.bytes(), start + 90 + token, "\377".repeat(token), header, 90);
                byte[] expected = new byte[20 - token];
                Arrays.fill(expected, (byte) 255);
                assertThat(got).isEqualTo(expected);
            }
        }
    }

    private static byte[] takeUp(byte[] stream, int bitOffset, String before, byte[] header, int headerBits)
            throws Exception {
        try (InflateBody body = new InflateBody()) {
            byte[] window = new byte[before.length()];
            for (int i = 0; i < window.length; i++) {
                window[i] = (byte) before.charAt(i);
            }
            body.resume(bitOffset & 7, window, header, headerBits);
            ByteBuffer output = ByteBuffer.allocate(100);
            int at = bitOffset >> 3;
            assertThat(body.inflate(ByteBuffer.wrap(stream, at, stream.length - at), output))
                    .isTrue();
            return Arrays.copyOf(output.array(), output.position());
        }
    }

    /** A row of bits. */
    private static final class BitRow {
        private byte[] bytes = new byte[64];
        private int count;

        void put(int value, int bits) {
            for (int i = 0; i < bits; i++, count++) {
                bytes[count >> 3] |= (byte) ((value >> i & 1) << (count & 7));
            }
        }

        byte[] bytes() {
            return Arrays.copyOf(bytes, count + 7 >> 3);
        }
    }
}
