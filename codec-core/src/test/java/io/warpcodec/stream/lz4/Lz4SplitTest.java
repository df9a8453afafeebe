package io.warpcodec.stream.lz4;

import static io.warpcodec.forge.Lz4Forge.INDEPENDENT;
import static io.warpcodec.forge.Lz4Forge.VERSION_1;
import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.stream.StreamRig;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Lz4SplitTest {
    private static final CodecOptions SMALL_CHUNKS = CodecOptions.DEFAULTS.withChunkBytes(1024);
    private static final StreamRig RIG = new StreamRig(Format.LZ4, SMALL_CHUNKS);

    /** What one split of a file of small chunks owns. */
    static byte[] split(byte[] file, long start, long end) throws IOException {
        return RIG.split(file, start, end);
    }

    private static void assertEachByteIsReadOnce(byte[] file, byte[] raw, int splitBytes) throws IOException {
        assertThat(RIG.splits(file, splitBytes)).as("splits of %d", splitBytes).isEqualTo(raw);
    }

    private static byte[] foreign(byte[] raw) {
        return new Lz4Forge()
                .header(VERSION_1 | INDEPENDENT, 0x70, new byte[0])
                .uncompressed(raw)
                .end()
                .toArray();
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

    /**
     * Sizes lead from no marker to the end of the file, so none is believed: the first split reads all, and its
     * reader reports the cut.
     */
    /**
     * Blocks of 4 MiB, the largest, each beginning anywhere in a file of ours whose chunks end far behind the block
     * in which they begin.
     */
    @Test
    void aChunkThatEndsBehindTheBlockInWhichItBeginsLeadsNowhere() throws IOException {
        int blockBytes = 4 << 20;
        byte[] ours = RIG.write(text(3000, 2));
        for (int chunkBytes : new int[] {300_000, 310_000, 400_000, 1_048_576}) {
            byte[] inner = new StreamRig(Format.LZ4, CodecOptions.DEFAULTS.withChunkBytes(chunkBytes))
                    .write(noise(2 * blockBytes, chunkBytes));
            Lz4Forge outer = new Lz4Forge().header(VERSION_1 | INDEPENDENT, 0x70, new byte[0]);
            for (int at = 0; at < inner.length; at += blockBytes) {
                outer.uncompressed(Arrays.copyOfRange(inner, at, Math.min(inner.length, at + blockBytes)));
            }
            byte[] file = concat(ours, outer.end().toArray());
            assertThat(split(file, 0, ours.length)).isEqualTo(concat(text(3000, 2), inner));
            for (int at = ours.length; at < file.length; at += blockBytes) {
                assertThat(split(file, at, Math.min(file.length, at + 2 * chunkBytes)))
                        .as("chunks of %d, split at %d", chunkBytes, at)
                        .isEmpty();
            }
        }
    }

    @Test
    void aFileThatIsCutHasNoSyncPoints() throws IOException {
        byte[] raw = text(20_000, 5);
        byte[] file = RIG.write(raw);
        for (int missing : new int[] {1, 100, 300}) {
            byte[] cut = Arrays.copyOf(file, file.length - missing);
            for (int start = 1; start < cut.length; start += 97) {
                assertThat(split(cut, start, cut.length))
                        .as("split at %d", start)
                        .isEmpty();
            }
            assertThatThrownBy(() -> split(cut, 0, cut.length)).isInstanceOf(EOFException.class);
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
