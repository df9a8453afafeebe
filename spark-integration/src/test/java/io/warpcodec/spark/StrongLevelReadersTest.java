package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.device.pool.PoolLimits;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spark's own readers of what a scripted device writes at the strong levels. */
class StrongLevelReadersTest {
    private ScriptedGpu gpu;

    private void install(PoolLimits limits) {
        gpu = new ScriptedGpu(new CpuEngine(), 1, limits).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }

    private static long encodedChunks(Format format) {
        return Metrics.counter("encode." + format.word() + ".gpu.chunks").sum();
    }

    @ParameterizedTest
    @CsvSource({"ZSTD, ZSTD, 19", "LZ4, LZ4, 12", "GZIP, GZIP, 9"})
    void stockReadsStreams(CodecPair codecs, Format format, int level) throws IOException {
        install(ScriptedGpu.smallLimits());
        byte[] plain = Payloads.text(3_000_000);
        SparkConf conf = new SparkConf(false)
                .set("spark.io.compression.gpu.mode", "gpu")
                .set("spark.io.compression.gpu.level." + format.word(), Integer.toString(level));
        long before = encodedChunks(format);
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (OutputStream out = codecs.ours(conf).compressedOutputStream(sink)) {
            out.write(plain);
        }
        assertThat(encodedChunks(format)).as("chunks of the device").isGreaterThan(before);
        assertThat(Arrays.equals(codecs.stockDecompress(sink.toByteArray()), plain))
                .isTrue();
    }

    /** A frame of 8 MiB and a short one. */
    @Test
    void stockReadsFilesOfLongFrames() throws IOException {
        install(ScriptedGpu.strongLimits());
        byte[] plain = Payloads.text((8 << 20) + 1000);
        CodecOptions strong = CodecOptions.DEFAULTS.withMode(Mode.GPU).withLevel(19);
        long before = encodedChunks(Format.ZSTD);
        byte[] file = new StreamRig(Format.ZSTD, strong).write(plain);
        assertThat(encodedChunks(Format.ZSTD) - before).isEqualTo(2);
        assertThat(Arrays.equals(CodecPair.ZSTD.stockDecompress(file), plain)).isTrue();
    }
}
