package io.warpcodec.stream.lz4;

import static io.warpcodec.forge.Lz4Forge.BLOCK_CHECKSUMS;
import static io.warpcodec.forge.Lz4Forge.CONTENT_CHECKSUM;
import static io.warpcodec.forge.Lz4Forge.CONTENT_SIZE;
import static io.warpcodec.forge.Lz4Forge.INDEPENDENT;
import static io.warpcodec.forge.Lz4Forge.VERSION_1;
import static io.warpcodec.forge.Lz4Forge.block;
import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static io.warpcodec.stream.lz4.Lz4FrameStreamTest.linked;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.SizedOptions;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingBatch;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.StartEvidence;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.ThreadedCpuEngine;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.format.Scanner;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.Containers;
import io.warpcodec.stream.LyingFile;
import io.warpcodec.stream.LyingFile.Container;
import io.warpcodec.stream.LyingFile.Lie;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import io.warpcodec.stream.unit.UnitReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LZ4 frames whose end is found from the lengths of their blocks are chunks, counted; everything else is a session's,
 * as it was.
 */
class Lz4FrameWalkTest {
    private static final StreamRig RIG = new StreamRig(Format.LZ4, CodecOptions.DEFAULTS);
    private static final byte[] NOTHING = {};
    private static final int SMALL = Scanner.SMALL_CHUNK_BYTES;
    private static final int LARGEST = CodecOptions.MAX_CHUNK_BYTES;

    private static byte[] theirs(byte[] raw, BLOCKSIZE blockSize, FLG.Bits... more) throws IOException {
        FLG.Bits[] bits = new FLG.Bits[more.length + 1];
        System.arraycopy(more, 0, bits, 0, more.length);
        bits[more.length] = FLG.Bits.BLOCK_INDEPENDENCE;
        long declared = List.of(more).contains(FLG.Bits.CONTENT_SIZE) ? raw.length : -1;
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (LZ4FrameOutputStream out = new LZ4FrameOutputStream(sink, blockSize, declared, bits)) {
            out.write(raw);
        }
        return sink.toByteArray();
    }

    /** What a reader delivered, and what it had done for it. */
    private static final class Reading {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        final List<Integer> chunks = Collections.synchronizedList(new ArrayList<>());
        final List<Long> sessions = new ArrayList<>();
        int failedChunks;
        IOException error;

        String outcome() {
            return bytes.size() + " bytes, then " + (error == null ? "the end" : error.getClass() + error.getMessage());
        }
    }

    /** The CPU engine, which takes note of what it is asked for. */
    private static final class NotingEngine extends ForwardingEngine {
        private final CpuEngine cpu = new CpuEngine();
        private final Reading reading;

        NotingEngine(Reading reading) {
            this.reading = reading;
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            chunks.forEach(chunk -> reading.chunks.add(chunk.bytes()));
            Batch<DecodedChunk> batch = cpu.decode(format, options, chunks);
            return new ForwardingBatch<>(batch) {
                @Override
                public DecodedChunk take(int index) throws IOException {
                    DecodedChunk result = super.take(index);
                    reading.failedChunks += result.status() == DecodedChunk.Status.DONE ? 0 : 1;
                    return result;
                }
            };
        }

        @Override
        public DecodeSession openSession(Format format, CodecOptions options, long offset) {
            reading.sessions.add(offset);
            return cpu.openSession(format, options, offset);
        }
    }

    private static Reading read(byte[] file) {
        return read(new ByteArrayInputStream(file), CodecOptions.DEFAULTS, false, false);
    }

    private static Reading read(InputStream source, CodecOptions options, boolean bySessions, boolean withoutHints) {
        Reading reading = new Reading();
        read(source, options, new NotingEngine(reading), bySessions, withoutHints, reading);
        return reading;
    }

    private static void read(
            InputStream source,
            CodecOptions options,
            LendingEngine engine,
            boolean bySessions,
            boolean withoutHints,
            Reading reading) {
        EngineSelector engines = new EngineSelector(
                engine,
                new AcceleratorStart(
                        () -> new AcceleratorStart.Found(null, FallbackReason.NO_DRIVER),
                        StartTurns::alone,
                        StartEvidence.ofThisProcess()));
        Scanner scanner = bySessions
                ? Containers.of(Format.LZ4).pushedScanner(options)
                : Containers.of(Format.LZ4).scanner(options);
        if (withoutHints) {
            scanner.ignoreHints();
        }
        SourceWindow window = SourceWindows.reading(source, 0, engines, options);
        ChunkReader reader = new ChunkReader(Format.LZ4, options, engines, window, scanner, null, Long.MAX_VALUE);
        try {
            for (UnitReader.Event event = reader.advance(); event != UnitReader.Event.END; event = reader.advance()) {
                if (event == UnitReader.Event.BYTES) {
                    byte[] bytes = new byte[reader.bytes().remaining()];
                    reader.bytes().get(bytes);
                    reading.bytes.writeBytes(bytes);
                }
            }
        } catch (IOException thrown) {
            reading.error = thrown;
        } finally {
            reader.close();
        }
    }

    private static void assertChunks(byte[] file, byte[] raw, int frames) {
        Reading reading = read(file);
        assertThat(reading.error).isNull();
        assertThat(reading.bytes.toByteArray()).isEqualTo(raw);
        assertThat(reading.sessions).as("sessions").isEmpty();
        assertThat(reading.chunks).as("chunks").hasSize(frames);
        assertThat(reading.failedChunks).isZero();
    }

    private static void assertSession(byte[] file, byte[] raw) {
        Reading reading = read(file);
        assertThat(reading.error).isNull();
        assertThat(reading.bytes.toByteArray()).isEqualTo(raw);
        assertThat(reading.sessions).as("sessions").hasSize(1);
        assertThat(reading.chunks).as("chunks").isEmpty();
    }

    // ---- what is a chunk

    @ParameterizedTest
    @EnumSource
    void smallFramesOfOthersAreChunks(BLOCKSIZE blockSize) throws IOException {
        for (FLG.Bits[] bits : new FLG.Bits[][] {
            {},
            {FLG.Bits.CONTENT_CHECKSUM},
            {FLG.Bits.BLOCK_CHECKSUM},
            {FLG.Bits.CONTENT_SIZE},
            {FLG.Bits.BLOCK_CHECKSUM, FLG.Bits.CONTENT_CHECKSUM, FLG.Bits.CONTENT_SIZE}
        }) {
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            for (int frame = 0; frame < 300; frame++) {
                // the first one is read with little memory
                byte[] content = text(frame == 0 ? 100 : 500 + frame % 7, frame);
                raw.writeBytes(content);
                file.writeBytes(theirs(content, blockSize, bits));
            }
            assertChunks(file.toByteArray(), raw.toByteArray(), 300);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 1000, 60_000, 64 << 10, 256 << 10, LARGEST})
    void framesOfOursAreChunksWhenTheirHintsAreNotBelieved(int unitRawBytes) throws IOException {
        StreamRig rig = new StreamRig(Format.LZ4, CodecOptions.DEFAULTS.withChunkBytes(LARGEST));
        byte[] unit = text(unitRawBytes, 1);
        byte[] noise = noise(unitRawBytes, 1);
        byte[] file = concat(rig.write(text(10, 1)), rig.write(unit), rig.write(noise), rig.write(unit));
        Reading reading = read(new ByteArrayInputStream(file), CodecOptions.DEFAULTS, false, true);
        assertThat(reading.bytes.toByteArray()).isEqualTo(concat(text(10, 1), unit, noise, unit));
        assertThat(reading.sessions).isEmpty();
        assertThat(reading.chunks).hasSize(4);
    }

    @Test
    void noLieMakesASessionOfAFrame() throws IOException {
        for (Lie lie : Lie.values()) {
            LyingFile file = Container.LZ4.file(100, 1000, lie, index -> index > 0);
            Reading reading = read(file.bytes());
            assertThat(reading.bytes.toByteArray()).as("%s", lie).isEqualTo(file.raw());
            assertThat(reading.sessions).as("%s", lie).isEmpty();
        }
    }

    @Test
    void linkedBlocksAreOneChunkWithinAFrame() throws IOException {
        byte[] small = text(10, 3);
        byte[] raw = text(200_000, 3);
        byte[] declared = Lz4LinkedBlocks.frame(raw, CONTENT_SIZE | BLOCK_CHECKSUMS | CONTENT_CHECKSUM, 16);
        byte[] undeclared = Lz4LinkedBlocks.frame(raw, CONTENT_CHECKSUM, 16);
        assertChunks(concat(linked(small), declared, undeclared), concat(small, raw, raw), 3);
    }

    @Test
    void framesOfEveryKindStandBehindEachOther() throws IOException {
        byte[] raw = text(900, 5);
        byte[] skippable = new Lz4Forge()
                .le32(0x184D_2A50)
                .le32(70_000)
                .put(noise(70_000, 7))
                .toArray();
        byte[] empty = new Lz4Forge().header(VERSION_1 | INDEPENDENT).end().toArray();
        byte[] withDictionary = new Lz4Forge()
                .header(VERSION_1 | INDEPENDENT | Lz4Forge.DICT_ID, Lz4Forge.BD_64_KIB, new byte[] {1, 2, 3, 4})
                .uncompressed(NOTHING)
                .sized(block(raw))
                .end()
                .toArray();
        byte[] file = concat(
                theirs(raw, BLOCKSIZE.SIZE_64KB),
                skippable,
                empty,
                RIG.write(raw),
                withDictionary,
                skippable,
                linked(raw),
                empty);
        assertChunks(file, concat(raw, raw, raw, raw), 6);
    }

    @Test
    void framesWithoutHintsAreDecodedByOtherThreads() throws IOException {
        byte[] raw = noise(60_000, 1);
        byte[] frame = theirs(raw, BLOCKSIZE.SIZE_64KB);
        Reading reading = new Reading();
        LendingEngine engine = new ThreadedCpuEngine(new NotingEngine(reading), 2);
        InputStream source = new ByteArrayInputStream(concat(frame, frame, frame, frame));
        read(source, CodecOptions.DEFAULTS, engine, false, false, reading);
        assertThat(reading.bytes.toByteArray()).isEqualTo(concat(raw, raw, raw, raw));
        assertThat(reading.sessions).isEmpty();
        assertThat(reading.chunks).hasSize(4);
    }

    // ---- what is too long for one

    private static byte[] declaring(byte[] raw) {
        return Lz4LinkedBlocks.frame(raw, INDEPENDENT | CONTENT_SIZE, 16);
    }

    /** A chunk in front, for what is true of the first unit alone. */
    private static byte[] behindAnother(byte[] frame) throws IOException {
        return concat(RIG.write(text(1, 1)), frame);
    }

    @Test
    void theLongestChunkIsAsLongAsOursMayBe() throws IOException {
        byte[] most = noise(LARGEST, 1);
        assertThat(read(behindAnother(declaring(most))).sessions).isEmpty();
        assertThat(read(behindAnother(declaring(noise(LARGEST + 1, 1)))).sessions)
                .hasSize(1);
    }

    @Test
    void aFrameThatDoesNotSayItsSizeIsAChunkByWhatItsBlocksCanMake() throws IOException {
        byte[] stored = new Lz4Forge().uncompressed(noise(SMALL, 1)).toArray();
        byte[] compressed = new Lz4Forge().sized(block(new byte[SMALL])).toArray();
        for (byte[] block : new byte[][] {stored, compressed}) {
            for (int blocks = 1; blocks <= 6; blocks++) {
                Lz4Forge forge = new Lz4Forge().header(VERSION_1 | INDEPENDENT);
                for (int i = 0; i < blocks; i++) {
                    forge.put(block);
                }
                Reading reading = read(behindAnother(forge.end().toArray()));
                assertThat(reading.bytes.size()).isEqualTo(1 + blocks * SMALL);
                assertThat(reading.sessions).as("%d blocks", blocks).hasSize(blocks <= 4 ? 0 : 1);
            }
        }
    }

    @Test
    void aFrameOfVeryManyBlocksIsASession() throws IOException {
        for (int blocks : new int[] {255, 256, 257, 300}) {
            Lz4Forge forge = new Lz4Forge().header(VERSION_1 | INDEPENDENT);
            for (int i = 0; i < blocks; i++) {
                forge.uncompressed(new byte[] {(byte) i});
            }
            Reading reading = read(behindAnother(forge.end().toArray()));
            assertThat(reading.bytes.size()).isEqualTo(1 + blocks);
            assertThat(reading.sessions).as("%d blocks", blocks).hasSize(blocks <= 256 ? 0 : 1);
        }
    }

    @Test
    void aFrameOverTheBudgetIsASession() throws IOException {
        byte[] raw = text(9000, 1);
        for (int budgetBytes : new int[] {8999, 9000}) {
            Reading reading = read(
                    new ByteArrayInputStream(declaring(raw)),
                    SizedOptions.withOutputBudgetBytes(CodecOptions.DEFAULTS, budgetBytes),
                    false,
                    false);
            assertThat(reading.bytes.toByteArray()).isEqualTo(raw);
            assertThat(reading.sessions).as("budget %d", budgetBytes).hasSize(budgetBytes < 9000 ? 1 : 0);
        }
    }

    @Test
    void theFirstFrameOfAStreamIsAChunkOnlyIfItIsSmall() throws IOException {
        assertSession(declaring(new byte[SMALL + 1]), new byte[SMALL + 1]);
        assertChunks(declaring(new byte[SMALL]), new byte[SMALL], 1);
        // this one would need more of the window than a stream has for its first bytes
        assertSession(declaring(noise(SMALL / 2, 1)), noise(SMALL / 2, 1));
        assertChunks(declaring(noise(SMALL / 8, 1)), noise(SMALL / 8, 1), 1);
    }

    @Test
    void aFrameLongerThanItsContentCanMakeItIsNotGathered() throws IOException {
        Lz4Forge forge = new Lz4Forge()
                .header(
                        VERSION_1 | INDEPENDENT | CONTENT_SIZE,
                        Lz4Forge.BD_64_KIB,
                        new Lz4Forge().le64(1000).toArray());
        for (int i = 0; i < 30; i++) {
            forge.uncompressed(noise(SMALL, i));
        }
        byte[] file = behindAnother(forge.end().toArray());
        Reading reading = read(file);
        assertThat(reading.error).hasMessageContaining("more content than the 1000 bytes declared");
        assertThat(reading.chunks).as("the one in front").hasSize(1);
    }

    /** Gives what stands in it, piece by piece, and says that nothing is at hand between two of them. */
    private static final class Pieces extends InputStream {
        private final List<byte[]> pieces;
        int given;

        Pieces(byte[]... pieces) {
            this.pieces = new ArrayList<>(List.of(pieces));
        }

        @Override
        public int available() {
            return 0;
        }

        @Override
        public int read() {
            throw new AssertionError("no reader asks for one byte");
        }

        @Override
        public int read(byte[] target, int start, int length) {
            if (pieces.isEmpty()) {
                return -1;
            }
            byte[] piece = pieces.remove(0);
            given++;
            int count = Math.min(length, piece.length);
            System.arraycopy(piece, 0, target, start, count);
            if (count < piece.length) {
                pieces.add(0, Arrays.copyOfRange(piece, count, piece.length));
            }
            return count;
        }
    }

    @Test
    void aFrameThatEndsWithTheWindowIsAChunkAndOneThatEndsBehindItASession() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] frame = theirs(raw, BLOCKSIZE.SIZE_64KB, FLG.Bits.CONTENT_CHECKSUM);
        Reading whole = read(new Pieces(frame, frame), CodecOptions.DEFAULTS, false, false);
        assertThat(whole.bytes.toByteArray()).isEqualTo(concat(raw, raw));
        assertThat(whole.chunks).containsExactly(frame.length, frame.length);
        assertThat(whole.sessions).isEmpty();
        for (int missing = 1; missing < frame.length; missing++) {
            byte[] front = cut(frame, frame.length - missing);
            byte[] rest = Arrays.copyOfRange(frame, frame.length - missing, frame.length);
            Reading torn = read(new Pieces(front, rest), CodecOptions.DEFAULTS, false, false);
            assertThat(torn.bytes.toByteArray()).isEqualTo(raw);
            // less than these tell no framing yet
            assertThat(torn.sessions).as("%d bytes missing", missing).hasSize(front.length < 8 ? 0 : 1);
        }
    }

    @Test
    void theFirstBlockComesBeforeTheRestOfItsFrameHasCome() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] head =
                new Lz4Forge().header(VERSION_1 | INDEPENDENT).sized(block(raw)).toArray();
        Pieces source = new Pieces(head, new Lz4Forge().end().toArray());
        try (ChunkedInputStream in = new ChunkedInputStream(source, Format.LZ4, CodecOptions.DEFAULTS)) {
            assertThat(in.readNBytes(raw.length)).isEqualTo(raw);
            assertThat(source.given).as("pieces that were waited for").isEqualTo(1);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    // ---- errors are a session's

    private static List<byte[]> samples() throws IOException {
        byte[] raw = concat(text(90, 1), noise(30, 1));
        byte[] blocks = new Lz4Forge()
                .header(VERSION_1 | INDEPENDENT | BLOCK_CHECKSUMS | CONTENT_CHECKSUM)
                .sized(block(raw))
                .checksum(block(raw))
                .uncompressed(raw)
                .checksum(raw)
                .end()
                .checksum(concat(raw, raw))
                .toArray();
        return List.of(
                concat(theirs(raw, BLOCKSIZE.SIZE_4MB), linked(raw)),
                concat(blocks, declaring(raw)),
                Lz4LinkedBlocks.frame(raw, CONTENT_SIZE | CONTENT_CHECKSUM, 18));
    }

    private static void assertSameAsSession(byte[] file, String what) {
        for (boolean atOnce : new boolean[] {true, false}) {
            InputStream one = atOnce ? new ByteArrayInputStream(file) : new Pieces(file);
            InputStream other = atOnce ? new ByteArrayInputStream(file) : new Pieces(file);
            Reading bySession = read(other, CodecOptions.DEFAULTS, true, false);
            Reading reading = read(one, CodecOptions.DEFAULTS, false, false);
            assertThat(reading.outcome()).as(what).isEqualTo(bySession.outcome());
            assertThat(reading.bytes.toByteArray()).as(what).isEqualTo(bySession.bytes.toByteArray());
        }
    }

    @Test
    void aTruncatedFrameFailsAsItsSessionDoes() throws IOException {
        for (byte[] file : samples()) {
            for (int bytes = 0; bytes < file.length; bytes++) {
                assertSameAsSession(cut(file, bytes), "cut at " + bytes);
            }
        }
    }

    @Test
    void everyFlippedBitFailsAsItsSessionDoes() throws IOException {
        for (byte[] file : samples()) {
            for (int bit = 0; bit < 8 * file.length; bit++) {
                assertSameAsSession(flipped(file, bit), "bit " + bit);
            }
        }
    }

    @Test
    void aBlockLengthThatLiesFailsAsItsSessionDoes() throws IOException {
        byte[] raw = text(2000, 1);
        byte[] body = block(raw);
        int flags = VERSION_1 | INDEPENDENT;
        byte[] behind = theirs(raw, BLOCKSIZE.SIZE_64KB);
        int[] lengths = {
            1,
            body.length - 1,
            body.length + 1,
            body.length + 4,
            body.length + 40,
            SMALL,
            SMALL + 1,
            1 << 20,
            Integer.MAX_VALUE,
            Integer.MIN_VALUE,
            -1,
            Integer.MIN_VALUE | body.length,
            Integer.MIN_VALUE | SMALL
        };
        for (int length : lengths) {
            byte[] frame =
                    new Lz4Forge().header(flags).le32(length).put(body).end().toArray();
            assertSameAsSession(frame, "length " + length);
            assertSameAsSession(concat(behind, frame, behind, behind), "length " + length);
        }
        for (int flag : new int[] {0, BLOCK_CHECKSUMS, CONTENT_CHECKSUM}) {
            byte[] frame = new Lz4Forge()
                    .header(flags | flag)
                    .sized(body)
                    .checksum(flag == BLOCK_CHECKSUMS ? body : raw)
                    .end()
                    .toArray();
            assertSameAsSession(
                    concat(frame, behind), "a checksum that the header does not announce, or the other way");
        }
    }

    @Test
    void aContentSizeThatLiesFailsAsItsSessionDoes() throws IOException {
        byte[] raw = text(2000, 1);
        for (long claimed : new long[] {0, 1, 1999, 2001, 1 << 20, 1 << 21, 1L << 40, -1, Long.MIN_VALUE}) {
            byte[] frame = declaring(raw);
            ByteBuffer fields =
                    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putLong(6, claimed);
            frame[14] = (byte) (Lz4Forge.hash(frame, 4, 10) >>> 8);
            assertThat(fields.getLong(6)).isEqualTo(claimed);
            assertSameAsSession(concat(frame, frame), "content size " + claimed);
            // a size that the blocks cannot make is no claim to take memory for
            assertThat(read(behindAnother(frame)).chunks)
                    .as("content size %d", claimed)
                    .hasSize(claimed >= 0 && claimed <= 2001 ? 2 : 1);
        }
    }

    @Test
    void damageAnywhereInManyFramesFailsAsItsSessionDoes() throws IOException {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] file = concat(samples().get(0), samples().get(1), samples().get(2), RIG.write(text(500, 1)));
        for (int round = 0; round < 1000; round++) {
            byte[] damaged = file.clone();
            for (int i = 0; i <= random.nextInt(3); i++) {
                damaged[random.nextInt(file.length)] = (byte) random.nextInt(256);
            }
            byte[] withoutHint = read(new ByteArrayInputStream(damaged), CodecOptions.DEFAULTS, true, true)
                    .bytes
                    .toByteArray();
            Reading reading = read(new ByteArrayInputStream(damaged), CodecOptions.DEFAULTS, false, true);
            assertThat(reading.bytes.toByteArray())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(withoutHint);
        }
    }

    // ---- pushed

    @Test
    void framesArePushedOneByteAtATime() throws IOException {
        for (byte[] file : samples()) {
            assertThat(RIG.push(file, 1, 1)).isEqualTo(read(file).bytes.toByteArray());
            assertThat(RIG.push(file, 100, 50)).isEqualTo(read(file).bytes.toByteArray());
            assertThat(RIG.read(file, 1, 1)).isEqualTo(read(file).bytes.toByteArray());
        }
    }
}
