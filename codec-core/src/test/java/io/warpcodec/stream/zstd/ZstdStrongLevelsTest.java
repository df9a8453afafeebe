package io.warpcodec.stream.zstd;

import static io.warpcodec.stream.StreamRig.noise;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of strong levels have frames of 8 MiB: the largest window that every reader takes. */
class ZstdStrongLevelsTest {
    private static final int FRAME_BYTES = 8 << 20;
    private static final byte[] RAW = raw();

    /** Noise of 3 MB, again and again. */
    private static byte[] raw() {
        byte[] once = noise(3_000_000, 1);
        byte[] raw = new byte[17_000_001];
        for (int at = 0; at < raw.length; at += once.length) {
            System.arraycopy(once, 0, raw, at, Math.min(once.length, raw.length - at));
        }
        return raw;
    }

    private static StreamRig rig(int level) {
        return new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withLevel(level));
    }

    private static List<byte[]> frames(byte[] file) {
        List<byte[]> frames = new ArrayList<>();
        for (int at = 0; at < file.length; at += frames.get(frames.size() - 1).length) {
            byte[] rest = Arrays.copyOfRange(file, at, file.length);
            frames.add(Arrays.copyOf(rest, (int) Zstd.findFrameCompressedSize(rest)));
        }
        return frames;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 13})
    void framesHaveEightMebibytes(int level) throws IOException {
        byte[] file = rig(level).write(RAW);
        List<byte[]> frames = frames(file);
        assertThat(frames.stream().map(Zstd::getFrameContentSize))
                .containsExactly((long) FRAME_BYTES, (long) FRAME_BYTES, RAW.length - 2L * FRAME_BYTES);
        assertThat(Arrays.equals(rig(level).read(file), RAW)).isTrue();
        try (InputStream in = new ZstdInputStream(new ByteArrayInputStream(file)).setContinuous(true)) {
            assertThat(Arrays.equals(in.readAllBytes(), RAW)).isTrue();
        }
        byte[] first = new byte[FRAME_BYTES];
        assertThat(new ZstdDecompressor().decompress(frames.get(0), 0, frames.get(0).length, first, 0, first.length))
                .isEqualTo(first.length);
        assertThat(Arrays.equals(first, Arrays.copyOf(RAW, first.length)))
                .as("aircompressor, whose largest window this is")
                .isTrue();
    }

    @Test
    void eachFrameIsASplits() throws IOException {
        byte[] file = rig(10).write(RAW);
        List<byte[]> frames = frames(file);
        for (int splitBytes : new int[] {frames.get(0).length - 1, file.length / 9 + 1, file.length}) {
            assertThat(Arrays.equals(rig(10).splits(file, splitBytes), RAW)).isTrue();
        }
        int second = frames.get(0).length;
        assertThat(rig(10).split(file, second - 10, second + 10)).hasSize(FRAME_BYTES);
    }

    /** What frames of 256 KiB cannot see. */
    @Test
    void matchesReachFarBack() throws IOException {
        assertThat(rig(10).write(RAW).length).isLessThan(RAW.length / 2);
    }

    @Test
    void othersHaveTheirOwn() {
        CodecOptions strong = CodecOptions.DEFAULTS.withLevel(19);
        assertThat(strong.chunkBytes(Format.ZSTD)).isEqualTo(FRAME_BYTES);
        assertThat(strong.withChunkBytes(1 << 20).chunkBytes(Format.ZSTD)).isEqualTo(1 << 20);
        assertThat(strong.withLevel(9).chunkBytes(Format.ZSTD)).isEqualTo(Format.ZSTD.defaultChunkBytes());
        assertThat(strong.chunkBytes(Format.GZIP)).isEqualTo(Format.GZIP.defaultChunkBytes());
        assertThat(strong.withFraming(Framing.SPARK).chunkBytes(Format.ZSTD))
                .as("a shuffle's streams are many")
                .isEqualTo(Format.ZSTD.defaultChunkBytes());
    }
}
