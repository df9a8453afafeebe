package io.warpcodec.hadoop.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.ForkedJvm;
import io.warpcodec.hadoop.Payloads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Bounded memory, shown in processes that have little of it. {@code -Dwarpcodec.soak.bytes} sets how much passes
 * through the bare Compressor and Decompressor; a release is checked with 4 GiB and more (4294967297).
 */
@Timeout(600)
class MemoryTest {
    private static final long SOAK_BYTES = Long.getLong("warpcodec.soak.bytes", 96L << 20);
    /** Little memory; and the first compiler only, for each process is over in seconds. */
    private static final List<String> LITTLE =
            List.of("-Xmx80m", "-XX:MaxDirectMemorySize=48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    @ParameterizedTest
    @EnumSource
    void muchPassesThroughABareCompressorAndDecompressorInALittleHeap(CodecUnderTest format) throws Exception {
        // more than the heap holds; of bzip2, which is slow on this content, only with a larger setting
        long bytes = format == CodecUnderTest.BZIP2 ? SOAK_BYTES / 16 : SOAK_BYTES;
        assertThat(ForkedJvm.run(Soak.class, LITTLE, format.name(), Long.toString(bytes)))
                .contains("passed " + bytes);
    }

    @ParameterizedTest
    @EnumSource
    void tenThousandAbandonedStreamsLeakNothing(CodecUnderTest format) throws Exception {
        assertThat(ForkedJvm.run(Abandon.class, LITTLE, format.name(), "10000")).contains("abandoned 10000");
    }

    /**
     * On the way past 2^32, where the length in the trailer has wrapped, every counter of 30 or 31 bits would have too.
     */
    @Test
    void aGzipMemberOfALittleThatDecodesToFourGigabytesPassesThroughALittleHeap() throws Exception {
        long bytes = 4097L << 20;
        assertThat(ForkedJvm.run(Bomb.class, LITTLE, Long.toString(bytes))).contains("passed " + bytes);
    }

    /** Mostly repetitive content with some noise in it, the same at every pass, without end. */
    private static final class Content {
        private final byte[] pattern = Payloads.text(1 << 16, 8);
        private final Random random = new Random(9);
        private final CRC32 crc = new CRC32();

        byte[] next() {
            for (int i = 0; i < 64; i++) {
                pattern[random.nextInt(pattern.length)] = (byte) random.nextInt();
            }
            crc.update(pattern);
            return pattern;
        }
    }

    /** Compresses and at once decompresses, holding nothing but the pieces in flight. */
    static final class Soak {
        public static void main(String[] arguments) throws IOException {
            CodecUnderTest format = CodecUnderTest.valueOf(arguments[0]);
            Configuration conf = format.conf();
            conf.setInt(CodecUnderTest.PREFIX + "level", 1);
            CompressionCodec codec = format.codec(conf);
            long wanted = Long.parseLong(arguments[1]);
            Compressor compressor = codec.createCompressor();
            Decompressor decompressor = codec.createDecompressor();
            ArrayDeque<byte[]> compressed = new ArrayDeque<>();
            Content content = new Content();
            Sink sink = new Sink(decompressor, compressed);
            byte[] piece = new byte[10_000];
            long fed = 0;
            while (!compressor.finished()) {
                if (compressor.needsInput()) {
                    if (fed < wanted) {
                        byte[] next = content.next();
                        compressor.setInput(next, 0, next.length);
                        fed += next.length;
                    } else {
                        compressor.finish();
                    }
                }
                int got = compressor.compress(piece, 0, piece.length);
                if (got > 0) {
                    compressed.add(java.util.Arrays.copyOf(piece, got));
                }
                sink.take();
            }
            sink.take();
            if (!sink.atEnd || sink.bytes != fed || sink.crc.getValue() != content.crc.getValue()) {
                throw new AssertionError("fed " + fed + " bytes, read " + sink.bytes + ", at a frame's end: "
                        + sink.atEnd + ", same content: " + (sink.crc.getValue() == content.crc.getValue()));
            }
            System.out.println("passed " + wanted);
        }

        private static final class Sink {
            private final Decompressor decompressor;
            private final ArrayDeque<byte[]> compressed;
            private final byte[] out = new byte[20_000];
            private final CRC32 crc = new CRC32();
            private byte[] last = {};
            private long bytes;
            private boolean atEnd;

            Sink(Decompressor decompressor, ArrayDeque<byte[]> compressed) {
                this.decompressor = decompressor;
                this.compressed = compressed;
            }

            void take() throws IOException {
                for (; ; ) {
                    int got = decompressor.decompress(out, 0, out.length);
                    crc.update(out, 0, got);
                    bytes += got;
                    if (got > 0) {
                        continue;
                    }
                    atEnd = decompressor.finished();
                    if (atEnd && decompressor.getRemaining() > 0) {
                        int tail = decompressor.getRemaining();
                        decompressor.reset();
                        last = java.util.Arrays.copyOfRange(last, last.length - tail, last.length);
                        decompressor.setInput(last, 0, tail);
                    } else if (compressed.isEmpty()) {
                        return;
                    } else {
                        if (atEnd) {
                            decompressor.reset();
                        }
                        last = compressed.remove();
                        decompressor.setInput(last, 0, last.length);
                    }
                }
            }
        }
    }

    /** One gzip member of zeros, built from the same DEFLATE blocks over and over, through a stream. */
    static final class Bomb {
        private static final byte[] ZEROS = new byte[1 << 20];

        public static void main(String[] arguments) throws IOException {
            int repeats = Math.toIntExact(Long.parseLong(arguments[0]) / ZEROS.length);
            CRC32 expected = new CRC32();
            for (int i = 0; i < repeats; i++) {
                expected.update(ZEROS);
            }
            InputStream file = new ByteArrayInputStream(member(repeats, expected.getValue()));
            CRC32 crc = new CRC32();
            byte[] piece = new byte[1 << 17];
            long bytes = 0;
            try (InputStream in = CodecUnderTest.GZIP.codec().createInputStream(file)) {
                for (int got; (got = in.read(piece)) > 0; bytes += got) {
                    crc.update(piece, 0, got);
                }
            }
            if (crc.getValue() != expected.getValue()) {
                throw new AssertionError("other bytes");
            }
            System.out.println("passed " + bytes);
        }

        private static byte[] member(int repeats, long crc) {
            // after a full flush nothing refers back, so the blocks may be repeated
            Deflater deflater = new Deflater(9, true);
            deflater.setInput(ZEROS);
            byte[] blocks = new byte[1 << 13];
            int blockBytes = deflater.deflate(blocks, 0, blocks.length, Deflater.FULL_FLUSH);
            deflater.end();
            ByteBuffer member =
                    ByteBuffer.allocate(10 + repeats * blockBytes + 2 + 8).order(ByteOrder.LITTLE_ENDIAN);
            member.put(new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff});
            for (int i = 0; i < repeats; i++) {
                member.put(blocks, 0, blockBytes);
            }
            member.put(new byte[] {3, 0}); // the last block, fixed codes, empty
            member.putInt((int) crc).putInt((int) ((long) repeats * ZEROS.length));
            return member.array();
        }
    }

    /** Opens streams, uses them a little, and forgets them. */
    static final class Abandon {
        public static void main(String[] arguments) throws Exception {
            CompressionCodec codec = CodecUnderTest.valueOf(arguments[0]).codec();
            int count = Integer.parseInt(arguments[1]);
            byte[] content = Payloads.text(3000, 1);
            byte[] file = Coding.compress(codec, content);
            int threads = Thread.activeCount();
            for (int i = 0; i < count; i++) {
                InputStream in = codec.createInputStream(new ByteArrayInputStream(file));
                if (in.read() != content[0]) {
                    throw new AssertionError("wrong first byte");
                }
                OutputStream out = codec.createOutputStream(OutputStream.nullOutputStream());
                out.write(content, 0, 100);
                Compressor compressor = codec.createCompressor();
                compressor.setInput(content, 0, content.length);
                Decompressor decompressor = codec.createDecompressor();
                decompressor.setInput(file, 0, file.length);
                decompressor.decompress(new byte[10], 0, 10);
            }
            long direct = directBytes();
            for (int i = 0; i < 50 && direct > 8 << 20; i++) {
                System.gc();
                Thread.sleep(20);
                direct = directBytes();
            }
            long resident = residentBytes();
            if (direct > 8 << 20 || resident > 600L << 20 || Thread.activeCount() > threads) {
                throw new AssertionError(direct + " bytes direct, " + resident + " bytes resident, "
                        + Thread.activeCount() + " threads after " + threads);
            }
            System.out.println("abandoned " + count);
        }

        private static long directBytes() {
            return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("direct"))
                    .mapToLong(BufferPoolMXBean::getMemoryUsed)
                    .sum();
        }

        /** What the process holds of everything, native memory too; 0 where there is no /proc. */
        private static long residentBytes() throws IOException {
            Path status = Path.of("/proc/self/status");
            if (!Files.exists(status)) {
                return 0;
            }
            return Files.readAllLines(status).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .sum();
        }
    }
}
