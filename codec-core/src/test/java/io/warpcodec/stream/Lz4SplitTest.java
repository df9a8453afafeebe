package io.warpcodec.stream;

import static io.warpcodec.stream.Lz4Forge.INDEPENDENT;
import static io.warpcodec.stream.Lz4Forge.VERSION_1;
import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Lz4SplitTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(1024);
    private static final StreamRig RIG = new StreamRig(Format.LZ4, SMALL_CHUNKS);

    /** A source that a split can seek in. */
    private static final class Seekable extends ByteArrayInputStream {
        Seekable(byte[] bytes) {
            super(bytes);
        }

        void seek(long offset) {
            pos = (int) offset;
        }
    }

    /** What one split owns: everything up to the position that lies behind its end. */
    static byte[] split(byte[] file, long start, long end) throws IOException {
        Seekable source = new Seekable(file);
        ByteArrayOutputStream owned = new ByteArrayOutputStream();
        byte[] buffer = new byte[777];
        try (ChunkedInputStream in =
                new ChunkedInputStream(source, Format.LZ4, SMALL_CHUNKS, new SplitRange(start, end, source::seek))) {
            while (in.position() <= end) {
                int count = in.read(buffer);
                if (count < 0) {
                    break;
                }
                if (in.position() <= end) {
                    owned.write(buffer, 0, count);
                }
            }
        }
        return owned.toByteArray();
    }

    private static void assertEachByteIsReadOnce(byte[] file, byte[] raw, int splitBytes) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int start = 0; start < file.length; start += splitBytes) {
            all.writeBytes(split(file, start, Math.min(file.length, start + splitBytes)));
        }
        assertThat(all.toByteArray()).as("splits of %d", splitBytes).isEqualTo(raw);
    }

    private static byte[] foreign(byte[] raw) {
        return new Lz4Forge()
                .header(VERSION_1 | INDEPENDENT, 0x70, new byte[0])
                .uncompressed(raw)
                .end()
                .done();
    }

    @Test
    void eachByteIsReadOnceWhateverTheSplits() throws IOException {
        byte[] raw = text(4000, 1);
        byte[] file = RIG.write(raw);
        for (int splitBytes : new int[] {1, 2, 3, 27, 28, 29, 100, 700, 701, 702, file.length - 1, file.length}) {
            assertEachByteIsReadOnce(file, raw, splitBytes);
        }
    }

    @Test
    void laterSplitsOwnTheChunksThatStartInThem() throws IOException {
        byte[] raw = text(50_000, 1);
        byte[] file = RIG.write(raw);
        byte[] late = split(file, file.length / 2, file.length);
        assertThat(late.length).isBetween(20_000, 30_000);
        assertThat(late).isEqualTo(Arrays.copyOfRange(raw, raw.length - late.length, raw.length));
    }

    @Test
    void foreignFramesBelongToTheSplitBeforeThem() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] ours = RIG.write(raw);
        byte[] theirs = foreign(raw);
        byte[] three = concat(raw, raw, raw);
        for (int splitBytes : new int[] {1, 50, 333, 2000}) {
            assertEachByteIsReadOnce(concat(ours, theirs, ours), three, splitBytes);
            assertEachByteIsReadOnce(concat(theirs, ours, ours), three, splitBytes);
            assertEachByteIsReadOnce(concat(ours, ours, theirs), three, splitBytes);
        }
        assertThat(split(concat(theirs, ours, ours), 0, 10)).isEqualTo(three);
    }

    @Test
    void aFileOfOursInsideABlockHasNoSyncPoints() throws IOException {
        byte[] inner = RIG.write(text(30_000, 1));
        byte[] outer = foreign(inner);
        byte[] ours = RIG.write(text(3000, 2));
        byte[] stored = RIG.write(concat(inner, noise(5000, 3)));
        Random random = new Random(4);
        for (int round = 0; round < 5; round++) {
            int splitBytes = 100 + random.nextInt(5000);
            assertEachByteIsReadOnce(outer, inner, splitBytes);
            assertEachByteIsReadOnce(concat(ours, outer), concat(text(3000, 2), inner), splitBytes);
            assertEachByteIsReadOnce(
                    concat(ours, outer, ours), concat(text(3000, 2), inner, text(3000, 2)), splitBytes);
            assertEachByteIsReadOnce(stored, concat(inner, noise(5000, 3)), splitBytes);
        }
    }

    @Test
    void hadoopsFramingIsReadByTheFirstSplitAlone() throws IOException {
        byte[] raw = text(30_000, 1);
        byte[] file = new StreamRig(Format.LZ4, SMALL_CHUNKS.withFraming(Framing.HADOOP)).write(raw);
        assertThat(split(file, 0, 100)).isEqualTo(raw);
        assertThat(split(file, 100, file.length)).isEmpty();
    }
}
