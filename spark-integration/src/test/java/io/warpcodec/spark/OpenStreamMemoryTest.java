package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.io.CompressionCodec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Spark keeps hundreds of output streams open at once; what each allocates is measured, not estimated. */
class OpenStreamMemoryTest {
    private static final int STREAMS = 400;
    private static final long LIMIT_BYTES = 64 << 10;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @ParameterizedTest
    @EnumSource
    void fourHundredOpenStreamsCostAtMost64KibibytesEachUntilDataArrives(CodecPair codecs) throws IOException {
        CompressionCodec codec = codecs.ours();
        List<OutputStream> streams = new ArrayList<>(STREAMS);
        warmUp(codec);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < STREAMS; i++) {
            streams.add(codec.compressedOutputStream(OutputStream.nullOutputStream()));
        }
        long untouched = THREADS.getCurrentThreadAllocatedBytes() - before;
        for (OutputStream out : streams) {
            out.write(1);
            out.flush();
        }
        long withOneByte = THREADS.getCurrentThreadAllocatedBytes() - before;
        for (OutputStream out : streams) {
            out.close();
        }
        assertThat(untouched / STREAMS).as("before any data").isBetween(1L, LIMIT_BYTES);
        assertThat(withOneByte / STREAMS).as("with one byte").isBetween(1L, LIMIT_BYTES);
    }

    private static void warmUp(CompressionCodec codec) throws IOException {
        try (OutputStream out = codec.compressedOutputStream(OutputStream.nullOutputStream())) {
            out.write(1);
        }
    }
}
