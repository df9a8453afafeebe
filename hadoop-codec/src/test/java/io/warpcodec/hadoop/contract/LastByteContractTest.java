package io.warpcodec.hadoop.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.forge.GzipForge;
import io.warpcodec.forge.HadoopFramingForge;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The end of a stream in the protocol of {@link Decompressor}: the call that delivers the last byte also says that
 * the stream is finished, if the end lies in the input. A caller that decodes a block with one call takes that call's
 * result for its size.
 */
class LastByteContractTest {
    /** Around what the decoder makes at once, 64 KiB, and what Hadoop's own tests use: 44 and 100 KiB. */
    private static final int[] CONTENT_BYTES = {1, 45_056, 65_536, 102_400};

    /** One whole stream of one container, and what it decodes to. */
    private record Sample(String name, CodecUnderTest format, byte[] file, byte[] content) {
        @Override
        public String toString() {
            return name + " of " + content.length;
        }
    }

    static List<Sample> samples() throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (int bytes : CONTENT_BYTES) {
            byte[] content = Payloads.text(bytes, bytes);
            for (CodecUnderTest format : CodecUnderTest.values()) {
                // of more, Hadoop's framing has several outer blocks, each finished by itself
                boolean framed = format == CodecUnderTest.SNAPPY || format == CodecUnderTest.LZ4_HADOOP;
                if (!framed || bytes <= 64 << 10) {
                    byte[] file = Coding.compress(format.codec(), content);
                    samples.add(new Sample("ours, " + format, format, file, content));
                }
            }
            for (Peer peer : Peer.values()) {
                boolean framed = peer == Peer.HADOOP_LZ4 || peer == Peer.HADOOP_SNAPPY;
                if (!framed && !peer.name().startsWith("TOOL")) {
                    samples.add(new Sample(peer.name(), peer.format, peer.write(content), content));
                }
            }
            if (bytes <= 65_280) {
                byte[] file = GzipForge.bgzfMember(content, 6);
                samples.add(new Sample("BGZF member", CodecUnderTest.GZIP, file, content));
            }
            byte[][] thirds = {
                Arrays.copyOfRange(content, 0, bytes / 3 + 1),
                Arrays.copyOfRange(content, bytes / 3 + 1, Math.max(bytes / 3 + 1, 2 * bytes / 3)),
                Arrays.copyOfRange(content, Math.max(bytes / 3 + 1, 2 * bytes / 3), bytes)
            };
            for (CodecUnderTest format : new CodecUnderTest[] {CodecUnderTest.LZ4_HADOOP, CodecUnderTest.SNAPPY}) {
                byte[] whole =
                        new HadoopFramingForge(format.format()).block(content).build();
                samples.add(new Sample("one inner chunk, " + format, format, whole, content));
                if (bytes > 3) {
                    byte[] inner = new HadoopFramingForge(format.format())
                            .block(thirds)
                            .build();
                    samples.add(new Sample("three inner chunks, " + format, format, inner, content));
                }
            }
        }
        return samples;
    }

    @ParameterizedTest
    @MethodSource("samples")
    void oneCallWithRoomForTheContentDeliversAllOfItAndIsTheLast(Sample sample) throws IOException {
        Decompressor decompressor = sample.format().codec().createDecompressor();
        byte[] content = sample.content();
        for (int capacityBytes : new int[] {content.length, content.length + 70_000}) {
            for (int tail : new int[] {0, 40}) {
                byte[] fed = Arrays.copyOf(sample.file(), sample.file().length + tail);
                Arrays.fill(fed, sample.file().length, fed.length, (byte) 'x');
                byte[] room = new byte[capacityBytes];
                decompressor.setInput(fed, 0, fed.length);
                int count = decompressor.decompress(room, 0, room.length);
                String what = "room for " + capacityBytes + ", followed by " + tail + " bytes";
                assertThat(count).as(what).isEqualTo(content.length);
                assertThat(decompressor.finished()).as(what).isTrue();
                assertThat(decompressor.needsInput()).as(what).isFalse();
                assertThat(decompressor.getRemaining()).as(what).isEqualTo(tail);
                assertThat(Arrays.copyOf(room, count)).isEqualTo(content);
                assertThat(decompressor.decompress(room, 0, room.length)).isZero();
                decompressor.reset();
            }
        }
        decompressor.end();
    }

    @ParameterizedTest
    @MethodSource("samples")
    void whateverThePiecesTheCallThatHasItAllIsTheLast(Sample sample) throws IOException {
        Decompressor decompressor = sample.format().codec().createDecompressor();
        byte[] file = sample.file();
        byte[] content = sample.content();
        for (int fedBytes : new int[] {Math.max(1, file.length / 50), file.length - 1, file.length}) {
            for (int capacityBytes : new int[] {Math.max(1, content.length / 50), 4096, content.length}) {
                drive(decompressor, sample, fedBytes, capacityBytes);
                decompressor.reset();
            }
        }
        decompressor.end();
    }

    private static void drive(Decompressor decompressor, Sample sample, int fedBytes, int capacityBytes)
            throws IOException {
        byte[] file = sample.file();
        byte[] room = new byte[capacityBytes];
        int fed = 0;
        int delivered = 0;
        while (!decompressor.finished()) {
            if (decompressor.needsInput()) {
                assertThat(fed).isLessThan(file.length);
                int count = Math.min(fedBytes, file.length - fed);
                decompressor.setInput(file, fed, count);
                fed += count;
            }
            int count = decompressor.decompress(room, 0, room.length);
            Object[] at = {fed, delivered, fedBytes, capacityBytes};
            assertThat(Arrays.mismatch(room, 0, count, sample.content(), delivered, delivered + count))
                    .as("fed %d, delivered %d, in pieces of %d and %d", at)
                    .isEqualTo(-1);
            delivered += count;
            boolean all = fed == file.length && delivered == sample.content().length;
            assertThat(decompressor.finished())
                    .as("fed %d, delivered %d, in pieces of %d and %d", at)
                    .isEqualTo(all);
            assertThat(count > 0 || all || decompressor.needsInput())
                    .as("fed %d, delivered %d, in pieces of %d and %d", at)
                    .isTrue();
        }
        assertThat(decompressor.getRemaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LZ4_HADOOP", "SNAPPY"})
    void aWrongChecksumBehindTheLastByteIsAnErrorAndNeverAnEnd(CodecUnderTest format) throws IOException {
        CompressionCodec codec = format.codec();
        Decompressor decompressor = codec.createDecompressor();
        for (int bytes : CONTENT_BYTES) {
            byte[] content = Payloads.text(bytes, bytes);
            byte[] good = Coding.compress(codec, content);
            byte[] bad = good.clone();
            // the last byte of a bzip2 stream may be padding
            bad[bad.length - 2] ^= 0x10;
            byte[] room = new byte[bytes];
            decompressor.setInput(bad, 0, bad.length);
            // what was decoded before the defect may come first
            IOException error = null;
            for (int call = 0; call < 3; call++) {
                try {
                    int count = decompressor.decompress(room, 0, room.length);
                    assertThat(error)
                            .as("an error is followed by %d bytes", count)
                            .isNull();
                } catch (IOException bytesAreBad) {
                    error = bytesAreBad;
                }
                assertThat(decompressor.finished()).isFalse();
                assertThat(decompressor.needsInput()).isFalse();
            }
            assertThat(error).as("%d bytes", bytes).isNotNull();
            decompressor.reset();
            decompressor.setInput(good, 0, good.length);
            assertThat(decompressor.decompress(room, 0, room.length)).isEqualTo(bytes);
            assertThat(decompressor.finished()).isTrue();
            decompressor.reset();
        }
        decompressor.end();
    }
}
