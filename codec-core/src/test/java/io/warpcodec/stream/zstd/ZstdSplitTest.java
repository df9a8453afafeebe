package io.warpcodec.stream.zstd;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdSyncPoints;
import io.warpcodec.stream.StreamRig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Splits of {@code .zst} begin at frames, with markers of older versions before them or without. */
class ZstdSplitTest {
    private static final int FRAME_RAW_BYTES = 20_000;
    private static final int MOST_BLOCK_BYTES = 128 << 10;
    private static final StreamRig RIG =
            new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withChunkBytes(FRAME_RAW_BYTES));

    private static byte[] marked(byte[] raw) throws IOException {
        byte[] file = new byte[0];
        for (int at = 0; at < raw.length; at += FRAME_RAW_BYTES) {
            byte[] part = Arrays.copyOfRange(raw, at, Math.min(raw.length, at + FRAME_RAW_BYTES));
            file = concat(file, ZstdForge.marked(RIG.write(part), part.length));
        }
        return file;
    }

    private static void splitsAreRead(byte[] file, byte[] raw) throws IOException {
        for (int splitBytes : new int[] {file.length / 40 + 1, file.length / 7 + 1, file.length / 2 + 1}) {
            byte[] all = RIG.splits(file, splitBytes);
            assertThat(all.length).as("splits of %d", splitBytes).isEqualTo(raw.length);
            assertThat(Arrays.equals(all, raw)).as("splits of %d", splitBytes).isTrue();
        }
    }

    /** What splits of so many bytes own, each. */
    private static List<Integer> owned(byte[] file, int splitBytes) throws IOException {
        List<Integer> owned = new ArrayList<>();
        for (int start = 0; start < file.length; start += splitBytes) {
            owned.add(RIG.split(file, start, Math.min(file.length, start + splitBytes)).length);
        }
        return owned;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void everySplitOfManyFramesOwnsSome(boolean marks) throws IOException {
        for (byte[] raw : new byte[][] {text(4_000_000, 1), noise(4_000_000, 2)}) {
            byte[] file = marks ? marked(raw) : RIG.write(raw);
            splitsAreRead(file, raw);
            // the last MiB and a chunk of a file leads nowhere but to its end, and that counts
            assertThat(owned(file, file.length / 7 + 1)).allMatch(bytes -> bytes > FRAME_RAW_BYTES);
        }
    }

    /** Whichever stands where, a marker and its frame are one split's. */
    @Test
    void splitsThatBeginAroundAMarkerTakeItsFrameOnce() throws IOException {
        byte[] raw = noise(1_500_000, 3);
        byte[] file = concat(marked(raw), RIG.write(raw), marked(raw));
        byte[] all = concat(raw, raw, raw);
        int frame = ZstdForge.marked(RIG.write(Arrays.copyOf(raw, FRAME_RAW_BYTES)), FRAME_RAW_BYTES).length;
        for (int end = 10 * frame - 2; end <= 10 * frame + 32; end++) {
            byte[] both = concat(RIG.split(file, 0, end), RIG.split(file, end, file.length));
            assertThat(Arrays.equals(both, all)).as("split at %d", end).isTrue();
        }
    }

    /** libzstd's frames in one call have no checksum unless they are asked for one. */
    @Test
    void framesOfOthersBetweenOursAreReadOnce() throws IOException {
        byte[] mine = noise(1_300_000, 4);
        byte[] theirs = text(700_000, 5);
        byte[] long_ = noise(3_000_000, 6);
        byte[] file = concat(
                RIG.write(mine),
                Zstd.compress(theirs, 3),
                RIG.write(mine),
                Zstd.compress(long_, 1),
                ZstdForge.skippable(3, 100, noise(100, 1)),
                RIG.write(mine));
        splitsAreRead(file, concat(mine, theirs, mine, long_, mine));
    }

    /** Raw blocks carry these files verbatim, a part of each block of 128 KiB. */
    @Test
    void filesInsideOfFramesAreNoSplits() throws IOException {
        byte[] inner = concat(RIG.write(noise(900_000, 7)), marked(noise(900_000, 8)));
        byte[] ours = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withChunkBytes(1 << 20)).write(inner);
        splitsAreRead(ours, inner);
        byte[] outer = concat(RIG.write(text(100_000, 1)), ours, RIG.write(text(100_000, 2)));
        splitsAreRead(outer, concat(text(100_000, 1), inner, text(100_000, 2)));
    }

    @Test
    void laterSplitsOwnTheFramesThatStartInThem() throws IOException {
        byte[] raw = text(700_000, 1);
        byte[] file = RIG.write(raw);
        for (int splitBytes : new int[] {1000, file.length / 3, file.length}) {
            assertThat(RIG.splits(file, splitBytes)).isEqualTo(raw);
        }
        assertThat(RIG.split(file, file.length / 2, file.length).length).isBetween(250_000, 450_000);
    }

    /**
     * Several frames of it lie in one raw block, and lead further than the block: a chain must be longer than any
     * block to be believed.
     */
    @Test
    void aLongFileOfOursInsideTheBlocksOfAnotherHasNoSyncPoints() throws IOException {
        for (byte[] inner :
                new byte[][] {RIG.write(noise(3 * MOST_BLOCK_BYTES, 2)), marked(noise(3 * MOST_BLOCK_BYTES, 2))}) {
            ZstdForge frame = new ZstdForge().header(20);
            for (int at = 0; at < inner.length; at += MOST_BLOCK_BYTES) {
                int end = Math.min(inner.length, at + MOST_BLOCK_BYTES);
                frame.rawBlock(Arrays.copyOfRange(inner, at, end), end == inner.length);
            }
            byte[] raw = text(3000, 3);
            byte[] ours = RIG.write(raw);
            byte[] file = concat(ours, frame.toArray(), ours);
            // with the first, the second split begins right in front of the inner file
            for (int splitBytes : new int[] {ours.length + 2, 50_001, 130_000}) {
                assertThat(RIG.splits(file, splitBytes))
                        .as("splits of %d", splitBytes)
                        .isEqualTo(concat(raw, inner, raw));
            }
        }
    }

    @Test
    void aFileThatBeginsWithAnotherFrameHasNoSplits() throws IOException {
        byte[] raw = noise(1_300_000, 9);
        byte[] file = concat(Zstd.compress(raw, 3), RIG.write(raw));
        assertThat(owned(file, file.length / 5 + 1)).startsWith(2 * raw.length).endsWith(0, 0, 0, 0);
    }

    private static boolean hasSyncPoints(byte[] head) throws IOException {
        return new ZstdSyncPoints().fileHasSyncPoints(new BufferWindow(ByteBuffer.wrap(head), 0));
    }

    @Test
    void theHeaderOfTheFirstFrameDecides() throws IOException {
        byte[] ours = RIG.write(text(50_000, 1));
        assertThat(hasSyncPoints(ours)).isTrue();
        assertThat(hasSyncPoints(ZstdForge.marked(ours, 50_000))).isTrue();
        assertThat(hasSyncPoints(concat(ZstdForge.skippable(1, 10, new byte[10]), ours)))
                .isTrue();
        assertThat(hasSyncPoints(Zstd.compress(text(50_000, 1), 3)))
                .as("no checksum")
                .isFalse();
        assertThat(hasSyncPoints(new ZstdForge().magic().u8(0xa4).le32(8 << 20).toArray()))
                .isTrue();
        assertThat(hasSyncPoints(
                        new ZstdForge().magic().u8(0xa4).le32((8 << 20) + 1).toArray()))
                .isFalse();
        byte[] undeclared = new ZstdForge().magic().u8(4).u8(0x60).toArray();
        assertThat(hasSyncPoints(undeclared)).as("no content size").isFalse();
        assertThat(hasSyncPoints(concat(ZstdForge.skippable(0, 4, new byte[4]), undeclared)))
                .as("announced as pzstd does")
                .isTrue();
        for (byte[] other : new byte[][] {
            ZstdForge.skippable(1, 4, new byte[4]),
            ZstdForge.skippable(0, 8, new byte[8]),
            concat(ZstdForge.skippable(0, 4, new byte[4]), ZstdForge.skippable(2, 4, new byte[4]))
        }) {
            assertThat(hasSyncPoints(concat(other, undeclared))).isFalse();
        }
        assertThat(hasSyncPoints(concat(
                        ZstdForge.skippable(0, 4, new byte[4]),
                        new ZstdForge().magic().u8(0).u8(0x60).toArray())))
                .as("no checksum")
                .isFalse();
        assertThat(hasSyncPoints(
                        new ZstdForge().magic().u8(0xa5).u8(9).le32(100).toArray()))
                .as("dictionary")
                .isFalse();
        for (int bytes = 0; bytes < 7; bytes++) {
            assertThat(hasSyncPoints(Arrays.copyOf(ours, bytes)))
                    .as("%d bytes", bytes)
                    .isFalse();
        }
    }
}
