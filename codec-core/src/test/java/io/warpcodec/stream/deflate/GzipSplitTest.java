package io.warpcodec.stream.deflate;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.gpu.deflate.GzipMembers;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Files in files: members that hold members verbatim. */
class GzipSplitTest {
    private static final StreamRig RIG = new StreamRig(Format.GZIP, CodecOptions.DEFAULTS);

    /** One member of stored blocks, as long as they may be. */
    private static byte[] stored(byte[] raw) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out, 1 << 20) {
            {
                def.setLevel(Deflater.NO_COMPRESSION);
            }
        }) {
            gzip.write(raw);
        }
        return out.toByteArray();
    }

    /** Its first two members lie in one stored block, and the size of the second leads out of it. */
    @Test
    void aSizeThatLeadsOutOfAStoredBlockLeadsNowhere() throws IOException {
        byte[] front = text(1000, 1);
        byte[] ours = GzipMembers.bgzf(front);
        byte[] inner = GzipMembers.bgzf(noise(500_000, 2));
        byte[] file = concat(ours, stored(inner));
        assertThat(RIG.split(file, 0, ours.length)).isEqualTo(concat(front, inner));
        for (int bytes : new int[] {100, 20_000, file.length - ours.length}) {
            assertThat(RIG.split(file, ours.length, ours.length + bytes))
                    .as("split of %d", bytes)
                    .isEmpty();
        }
    }
}
