package io.warpcodec.stream.zstd;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.forge.PzstdForge;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.stream.StreamRig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Splits of pzstd's files, whose frames are long and do not tell their size, and of files with frames of 8 MiB. */
class ZstdForeignSplitTest {
    private static final int FRAME_BYTES = 2 << 20;
    private static final int WITH_CHECKSUM = 4;
    private static final StreamRig RIG = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS);

    private static List<byte[]> parts(byte[] file, long... borders) throws IOException {
        List<byte[]> parts = new ArrayList<>();
        long start = 0;
        for (long border : borders) {
            parts.add(RIG.split(file, start, border));
            start = border;
        }
        parts.add(RIG.split(file, start, file.length));
        return parts;
    }

    private static void splitsAreRead(byte[] file, byte[] raw, int... splits) throws IOException {
        for (int count : splits) {
            byte[] all = RIG.splits(file, file.length / count + 1);
            assertThat(Arrays.equals(all, raw)).as("%d splits", count).isTrue();
        }
    }

    private static byte[] sparse(int bytes) {
        byte[] sparse = new byte[bytes];
        for (int i = 0; i < bytes; i += 5000) {
            sparse[i] = (byte) (i / 5000);
        }
        return sparse;
    }

    @Test
    void everySplitOfPzstdsFilesOwnsFrames() throws IOException {
        for (byte[] raw : new byte[][] {text(9_000_001, 1), noise(9_000_001, 2), sparse(40_000_001)}) {
            byte[] file = PzstdForge.file(raw, FRAME_BYTES, 3, true);
            splitsAreRead(file, raw, 1, 2, 4, 19);
            assertThat(parts(file, file.length / 3, 2L * file.length / 3))
                    .allMatch(part ->
                            part.length >= FRAME_BYTES && part.length % FRAME_BYTES <= raw.length % FRAME_BYTES);
        }
    }

    /** A frame is one split's, wherever around its announcement the splits meet. */
    @Test
    void splitsMeetAroundAnAnnouncement() throws IOException {
        byte[] raw = noise(3 * FRAME_BYTES, 3);
        byte[] file = PzstdForge.file(raw, FRAME_BYTES, 1, true);
        int second = 12 + PzstdForge.frame(raw, 0, FRAME_BYTES, 1, true).length;
        for (int border = second - 3; border <= second + 20; border++) {
            List<byte[]> parts = parts(file, border);
            assertThat(parts.get(0).length)
                    .as("border %d", border)
                    .isEqualTo((border > second + 12 ? 2 : 1) * FRAME_BYTES);
            assertThat(Arrays.equals(concat(parts.get(0), parts.get(1)), raw)).isTrue();
        }
    }

    /** Without checksums a chain of a file within the last block could not be told from the file's own. */
    @Test
    void pzstdsFilesWithoutChecksumsAreReadOnce() throws IOException {
        byte[] raw = text(5_000_000, 4);
        byte[] file = PzstdForge.file(raw, FRAME_BYTES, 3, false);
        assertThat(parts(file, file.length / 2).get(1)).isEmpty();
        splitsAreRead(file, raw, 3);
    }

    @Test
    void framesOfEightMebibytesSplitAndLongerOnesDoNot() throws IOException {
        byte[] raw = text(20 << 20, 5);
        for (int frameBytes : new int[] {8 << 20, (8 << 20) + 1}) {
            ZstdForge file = new ZstdForge();
            for (int at = 0; at < raw.length; at += frameBytes) {
                file.put(declared(Arrays.copyOfRange(raw, at, Math.min(raw.length, at + frameBytes))));
            }
            byte[] bytes = file.toArray();
            splitsAreRead(bytes, raw, 2, 5);
            int first = parts(bytes, bytes.length / 2).get(0).length;
            assertThat(first).isEqualTo(frameBytes == 8 << 20 ? 2 * frameBytes : raw.length);
        }
    }

    private static byte[] declared(byte[] raw) {
        try (ZstdCompressCtx encoder = new ZstdCompressCtx()) {
            return encoder.setLevel(3).setChecksum(true).setContentSize(true).compress(raw);
        }
    }

    /** Raw blocks carry the inner file verbatim: whole frames of it lie in one block. */
    @Test
    void filesOfPzstdInsideOfFilesOfPzstdAreNoSplits() throws IOException {
        byte[] small = PzstdForge.file(noise(3_000_000, 6), 20_000, 1, true);
        byte[] large = PzstdForge.file(noise(3_000_000, 7), FRAME_BYTES, 1, true);
        byte[] inner = concat(small, large, small);
        byte[] file = PzstdForge.file(inner, FRAME_BYTES, 1, true);
        splitsAreRead(file, inner, 2, 5, 33, 70);
    }

    @Test
    void framesOfAllKindsBehindEachOtherAreReadOnce() throws IOException {
        byte[] pzstds = PzstdForge.file(noise(3_000_000, 8), FRAME_BYTES, 1, true);
        byte[] ours = RIG.write(noise(1_500_000, 9));
        byte[] unchecked = Zstd.compress(text(3_000_000, 10), 3);
        byte[] file = concat(pzstds, ours, unchecked, pzstds, ZstdForge.skippable(7, 3, new byte[3]), ours);
        byte[] first = concat(noise(3_000_000, 8), noise(1_500_000, 9));
        byte[] raw = concat(first, text(3_000_000, 10), first);
        splitsAreRead(file, raw, 2, 3, 7, 41);
        byte[] other = concat(ours, pzstds, ours);
        splitsAreRead(other, concat(noise(1_500_000, 9), first), 2, 3, 7, 41);
    }

    /** A frame begins every nine bytes, and each leads through a thousand blocks that hold the beginnings of others. */
    @Test
    void searchesThroughFalseFramesEnd() throws IOException {
        ZstdForge file = new ZstdForge().put(PzstdForge.file(text(100, 1), 100, 3, true));
        int first = file.toArray().length;
        for (int i = 0; i < 100_000; i++) {
            file.magic().u8(WITH_CHECKSUM).u8(0x50).blockHeader(ZstdForge.RAW, 6, false);
        }
        byte[] all = file.toArray();
        assertThatThrownBy(() -> RIG.split(all, first, all.length))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("too many false frames");
    }
}
