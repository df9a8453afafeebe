package io.warpcodec.stream.seektable;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.forge.PzstdForge;
import io.warpcodec.forge.SeekTableForge;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.seektable.SeekTableSplit.FileLength;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Splits of {@code .zst} files that end with a seek table. */
class SeekTableSplitTest {
    private static final int FRAME_BYTES = 100_000;
    private static final StreamRig RIG = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS);

    private static byte[] split(byte[] file, FileLength length, long start, long end) throws IOException {
        return RIG.split(file, start, end, SeekTableSplit.index(length));
    }

    /** What the splits own that these borders make. */
    private static List<byte[]> parts(byte[] file, long... borders) throws IOException {
        List<byte[]> parts = new ArrayList<>();
        long start = 0;
        for (long border : borders) {
            parts.add(split(file, () -> file.length, start, border));
            start = border;
        }
        parts.add(split(file, () -> file.length, start, file.length));
        return parts;
    }

    private static void isReadBySplits(byte[] file, byte[] raw, int... counts) throws IOException {
        for (int count : counts) {
            int bytes = file.length / count + 1;
            long[] borders = new long[(file.length - 1) / bytes];
            Arrays.setAll(borders, i -> (i + 1L) * bytes);
            byte[] all = concat(parts(file, borders).toArray(byte[][]::new));
            assertThat(Arrays.equals(all, raw)).as("%d splits", count).isTrue();
        }
    }

    private static void isReadOnce(byte[] file, byte[] raw) throws IOException {
        List<byte[]> parts = parts(file, file.length / 3, file.length / 2);
        assertThat(parts.get(0)).isEqualTo(raw);
        assertThat(parts.get(1)).isEmpty();
        assertThat(parts.get(2)).isEmpty();
    }

    @Test
    void everySplitOwnsItsFrames() throws IOException {
        for (byte[] raw : new byte[][] {text(3_000_001, 1), noise(3_000_001, 2), new byte[30_000_000]}) {
            for (boolean checksums : new boolean[] {true, false}) {
                SeekTableForge forge = SeekTableForge.of(raw, raw.length / 30, 3);
                byte[] file = (checksums ? forge.withChecksums() : forge).build();
                isReadBySplits(file, raw, 1, 2, 3, 7, 100);
                assertThat(parts(file, file.length / 3, 2L * file.length / 3)).allMatch(part -> part.length > 0);
            }
        }
    }

    /** Skippable frames have entries of their own, or belong to that of the frame behind them. */
    @Test
    void splitsMeetAnywhereAroundFramesThatAreSkipped() throws IOException {
        byte[] raw = noise(4 * FRAME_BYTES, 3);
        byte[] skipped = ZstdForge.skippable(0, 9, new byte[9]);
        for (boolean own : new boolean[] {true, false}) {
            SeekTableForge forge = new SeekTableForge();
            int third = 0;
            for (int i = 0; i < 4; i++) {
                byte[] frame = PzstdForge.frame(raw, i * FRAME_BYTES, FRAME_BYTES, 1, i == 2);
                third += i < 2 ? frame.length + skipped.length : 0;
                forge.bytes(skipped).bytes(frame);
                forge.entry(skipped.length + (own ? 0 : frame.length), own ? 0 : FRAME_BYTES);
                if (own) {
                    forge.entry(frame.length, FRAME_BYTES);
                }
            }
            byte[] file = forge.build();
            for (int border = third - 2; border < third + skipped.length + 3; border++) {
                List<byte[]> parts = parts(file, border, border + 5, border + 11);
                byte[] all = concat(parts.toArray(byte[][]::new));
                assertThat(Arrays.equals(all, raw)).as("border %d", border).isTrue();
            }
        }
    }

    /** No frame of it has a checksum, so nothing but the table tells frames from their contents. */
    @Test
    void filesWithinFramesAreNotTakenForThem() throws IOException {
        byte[] inner = SeekTableForge.of(noise(1_000_000, 4), 20_000, 1).build();
        byte[] file = SeekTableForge.of(inner, FRAME_BYTES, 1).build();
        isReadBySplits(file, inner, 2, 5, 40);
    }

    @Test
    void tablesThatDoNotAddUpAreNotUsed() throws IOException {
        byte[] raw = text(500_000, 5);
        byte[] good = SeekTableForge.of(raw, FRAME_BYTES, 3).build();
        byte[] one = PzstdForge.frame(raw, 0, raw.length, 3, false);
        isReadOnce(SeekTableForge.of(raw, FRAME_BYTES, 3).withReservedBits(4).build(), raw);
        isReadOnce(SeekTableForge.of(raw, FRAME_BYTES, 3).entry(1, 1).build(), raw);
        isReadOnce(SeekTableForge.of(raw, raw.length, 3).build(), raw);
        isReadOnce(concat(good, ZstdForge.skippable(1, 3, new byte[3])), raw);
        isReadOnce(concat(one, good), concat(raw, raw));
        isReadOnce(
                new SeekTableForge()
                        .bytes(one)
                        .entry(one.length - 1, 9)
                        .entry(2, 9)
                        .build(),
                raw);
        // counted from the end: the footer's magic, the descriptor, the number of frames, the last frame's length
        for (int back : new int[] {1, 5, 9, 14}) {
            byte[] bad = good.clone();
            bad[bad.length - back] ^= 0x40;
            isReadOnce(bad, raw);
        }
        byte[] ofOtherMagic = good.clone();
        ofOtherMagic[good.length - (8 + 5 * 8 + 9)]--;
        isReadOnce(ofOtherMagic, raw);
        assertThat(split(good, () -> -1, good.length / 2, good.length)).isEmpty();
        assertThat(split(good, () -> -1, 0, good.length / 2)).isEqualTo(raw);
    }

    /** A job that would lose bytes or read them twice fails: in the task before the wrong place, or in the next. */
    @Test
    void tablesThatLieFailTheJob() throws IOException {
        byte[] raw = noise(3 * FRAME_BYTES, 6);
        byte[] inner = PzstdForge.frame(raw, 0, 1000, 1, true);
        byte[] carrier = PzstdForge.frame(concat(inner, noise(50_000, 7)), 0, inner.length + 50_000, 1, false);
        byte[] next = PzstdForge.frame(raw, 0, FRAME_BYTES, 1, false);
        // the header of the frame has six bytes, that of its block three: a whole frame lies behind them
        byte[] file = new SeekTableForge()
                .bytes(carrier)
                .bytes(next)
                .entry(9, 1)
                .entry(carrier.length - 9L, 1)
                .entry(next.length, FRAME_BYTES)
                .build();
        assertThatThrownBy(() -> split(file, () -> file.length, 0, 5))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("offset 9")
                .hasMessageContaining("seek table");
        byte[] shifted = new SeekTableForge()
                .bytes(carrier)
                .bytes(next)
                .entry(20, 1)
                .entry(carrier.length + next.length - 20L, 1)
                .build();
        for (long[] range : new long[][] {{0, 5}, {5, shifted.length}}) {
            assertThatThrownBy(() -> split(shifted, () -> shifted.length, range[0], range[1]))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("offset 20")
                    .hasMessageContaining("seek table");
        }
    }
}
