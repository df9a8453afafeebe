package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.forge.ZstdForge;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A stream of ours ends where a chunk does, and nowhere else: a marker says that a frame follows. */
class CutBehindMarkerTest {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withChunkBytes(1 << 10);
    private static final byte[] RAW = StreamRig.text(5000, 3);
    private static final int CHUNK_BYTES_AT = 20;

    /** Chunks behind their markers, which zstd frames had in 0.1.0. */
    private static byte[] file(Format format) throws IOException {
        StreamRig rig = new StreamRig(format, OPTIONS);
        if (format != Format.ZSTD) {
            return rig.write(RAW);
        }
        byte[] file = new byte[0];
        for (int at = 0; at < RAW.length; at += 1 << 10) {
            byte[] raw = Arrays.copyOfRange(RAW, at, Math.min(RAW.length, at + (1 << 10)));
            file = StreamRig.concat(file, ZstdForge.marked(rig.write(raw), raw.length));
        }
        return file;
    }

    private static Set<Integer> chunkEnds(byte[] file) {
        Set<Integer> ends = new TreeSet<>();
        for (int at = 0; at < file.length; ) {
            at += (file[at + CHUNK_BYTES_AT] & 0xff) | (file[at + CHUNK_BYTES_AT + 1] & 0xff) << 8;
            ends.add(at);
        }
        return ends;
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"LZ4", "ZSTD"})
    void aCutAnywhereButBehindAChunkIsTheEndOfTheFileTooSoon(Format format) throws Exception {
        StreamRig rig = new StreamRig(format, OPTIONS);
        byte[] file = file(format);
        Set<Integer> ends = chunkEnds(file);
        assertThat(ends).hasSize(5).contains(file.length);
        for (int bytes = 1; bytes < file.length; bytes++) {
            byte[] part = Arrays.copyOf(file, bytes);
            if (ends.contains(bytes)) {
                assertThat(rig.read(part)).isEqualTo(Arrays.copyOf(RAW, rig.read(part).length));
                continue;
            }
            assertThatThrownBy(() -> rig.read(part)).as("cut at %d", bytes).isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> rig.push(part, 100, 100))
                    .as("pushed, cut at %d", bytes)
                    .isInstanceOf(EOFException.class);
            assertThatThrownBy(() -> rig.split(part, 0, part.length))
                    .as("as a split, cut at %d", bytes)
                    .isInstanceOf(EOFException.class);
        }
    }
}
