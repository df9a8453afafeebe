package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.LendingEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Heap of input streams that have read their first bytes: a merge or a scan keeps thousands of them open. Measured is
 * what a thread allocates for each of many streams that stay open, which is no less than what they hold: what a
 * stream gives back, the next one takes.
 */
class OpenReaderMemoryTest {
    private static final int STREAMS = 100;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** What our files are, with the default settings, and what a stream of each may hold on the heap. */
    private enum Kind {
        /** Beside it zlib has about 40 KiB. */
        GZIP(Format.GZIP, Framing.STANDARD, 48),
        DEFLATE(Format.ZLIB, Framing.STANDARD, 48),
        /** A block of 64 KiB has to be decoded whole. */
        LZ4(Format.LZ4, Framing.STANDARD, 96),
        SNAPPY(Format.SNAPPY, Framing.STANDARD, 96),
        SPARK_GZIP(Format.GZIP, Framing.SPARK, 48),
        SPARK_LZ4(Format.LZ4, Framing.SPARK, 64),
        SPARK_SNAPPY(Format.SNAPPY, Framing.SPARK, 64),
        /**
         * A frame of 256 KiB, which is its own window, has to be decoded whole: libzstd's own streams hold more,
         * beside the heap.
         */
        ZSTD(Format.ZSTD, Framing.STANDARD, 256 + 40),
        SPARK_ZSTD(Format.ZSTD, Framing.SPARK, 256 + 40),
        /** One inner chunk of 128 KiB. */
        LZ4_HADOOP(Format.LZ4, Framing.HADOOP, 128 + 40);

        final StreamRig rig;
        final long limitBytes;

        Kind(Format format, Framing framing, int limitKib) {
            CodecOptions options = CodecOptions.DEFAULTS.withFraming(framing);
            // Spark's own block size
            boolean sparkLz4 = format == Format.LZ4 && framing == Framing.SPARK;
            rig = new StreamRig(format, sparkLz4 ? options.withChunkBytes(32 << 10) : options);
            limitBytes = (long) limitKib << 10;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatHasReadAThousandBytesHoldsLittle(Kind kind) throws IOException {
        byte[] raw = StreamRig.text(1 << 20, 5);
        byte[] file = kind.rig.write(raw);
        List<InputStream> open = new ArrayList<>();
        open(kind, file, 10, open);
        emptyPool();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        open(kind, file, STREAMS, open);
        long each = (THREADS.getCurrentThreadAllocatedBytes() - before) / STREAMS;
        for (InputStream in : open) {
            assertThat(in.readNBytes(3000)).isEqualTo(java.util.Arrays.copyOfRange(raw, 1000, 4000));
            in.close();
        }
        System.out.println(kind + ": " + (each >> 10) + " KiB");
        assertThat(each).as("bytes on the heap of each stream").isBetween(1L, kind.limitBytes);
    }

    /** Takes what others have left in the CPU engine's pool of arrays, for ever. */
    private static void emptyPool() {
        LendingEngine cpu = Engines.selector().cpu();
        for (int bytes = 4 << 10; bytes <= 8 << 20; bytes *= 2) {
            long before;
            do {
                before = THREADS.getCurrentThreadAllocatedBytes();
                cpu.lease(bytes, "nothing");
            } while (THREADS.getCurrentThreadAllocatedBytes() - before < bytes);
        }
    }

    private static void open(Kind kind, byte[] file, int count, List<InputStream> open) throws IOException {
        for (int i = 0; i < count; i++) {
            InputStream in =
                    new ChunkedInputStream(new ByteArrayInputStream(file), kind.rig.format(), kind.rig.options());
            assertThat(in.readNBytes(1000)).hasSize(1000);
            open.add(in);
        }
    }
}
