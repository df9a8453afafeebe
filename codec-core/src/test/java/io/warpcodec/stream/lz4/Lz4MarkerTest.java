package io.warpcodec.stream.lz4;

import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.golden.GoldenFolder;
import io.warpcodec.stream.PushEncoder;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jpountz.lz4.LZ4FrameInputStream;
import org.junit.jupiter.api.Test;

/** The markers in front of LZ4 frames of ours, read as the page of the format has them. */
class Lz4MarkerTest {
    private static final StreamRig RIG = new StreamRig(Format.LZ4, CodecOptions.DEFAULTS.withChunkBytes(1024));
    private static final byte[] RAW = text(5_000, 7);

    /** SIZE of every marker of a file, found by CHUNK_BYTES. */
    private static List<Integer> sizes(byte[] file, int version) {
        ByteBuffer in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> sizes = new ArrayList<>();
        for (int at = 0; at < file.length; at += in.getInt(at + 20)) {
            assertThat(in.getInt(at)).isEqualTo(0x184D2A57);
            assertThat(in.get(at + 16)).as("VERSION").isEqualTo((byte) version);
            assertThat(in.get(at + 17) | in.getShort(at + 18))
                    .as("FLAGS and RESERVED")
                    .isZero();
            sizes.add(in.getInt(at + 4));
        }
        return sizes;
    }

    @Test
    void onlyTheFirstMarkerOfAFileIsLong() throws IOException {
        assertThat(sizes(RIG.write(RAW), 2)).containsExactly(128, 20, 20, 20, 20);
        assertThat(sizes(RIG.write(new byte[0]), 2)).containsExactly(128);
        assertThat(sizes(RIG.write(new byte[1]), 2)).containsExactly(128);
        assertThat(new String(RIG.write(RAW), 28, 108, StandardCharsets.US_ASCII))
                .startsWith("\nLZ4 frames ")
                .endsWith(".\n");
    }

    /** Its first byte is that of a big-endian number too, and that must be negative. */
    @Test
    void theFirstSizeReadTheOtherWayRoundIsNegative() throws IOException {
        assertThat(ByteBuffer.wrap(RIG.write(RAW)).getInt(4)).isNegative();
    }

    @Test
    void aStreamThatIsResetBeginsWithALongMarkerAgain() throws IOException {
        PushEncoder encoder = new PushEncoder(Format.LZ4, RIG.options());
        for (int round = 0; round < 2; round++) {
            byte[] room = new byte[20_000];
            encoder.setInput(RAW, 0, RAW.length);
            encoder.finish();
            int bytes = 0;
            while (!encoder.finished()) {
                bytes += encoder.encode(room, bytes, room.length - bytes);
            }
            assertThat(sizes(StreamRig.cut(room, bytes), 2)).startsWith(128, 20);
            encoder.reset();
        }
    }

    @Test
    void filesOfBothVersionsReadJoinedInAnyOrderAndInSplits() throws IOException {
        byte[] old = GoldenFolder.of("lz4").get(0).read("chunks-of-1-KiB-to-the-byte.lz4");
        byte[] oldRaw = new LZ4FrameInputStream(new ByteArrayInputStream(old)).readAllBytes();
        assertThat(sizes(old, 1)).containsOnly(20);
        byte[] now = RIG.write(RAW);
        byte[] empty = RIG.write(new byte[0]);
        byte[] file = concat(old, now, empty, old, empty, empty, now);
        byte[] raw = concat(oldRaw, RAW, oldRaw, RAW);
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.push(file, 1000, 1000)).isEqualTo(raw);
        assertThat(new LZ4FrameInputStream(new ByteArrayInputStream(file)).readAllBytes())
                .isEqualTo(raw);
        for (int splitBytes : new int[] {1, 135, 136, 137, 1000, file.length}) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int start = 0; start < file.length; start += splitBytes) {
                all.writeBytes(Lz4SplitTest.split(file, start, Math.min(file.length, start + splitBytes)));
            }
            assertThat(all.toByteArray()).as("splits of %d", splitBytes).isEqualTo(raw);
        }
    }
}
