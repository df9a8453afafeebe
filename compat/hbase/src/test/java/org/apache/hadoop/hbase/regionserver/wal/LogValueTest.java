package org.apache.hadoop.hbase.regionserver.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.regionserver.wal.CompressionContext.ValueCompressor;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Values of HBase's write-ahead log. One stream encodes all values of a log, each ended by a flush, and one stream
 * decodes them, which is given the bytes of one value at a time. In HBase's package, since its class for these values
 * is not public.
 */
class LogValueTest {
    private static final int VALUES = 300;
    private static final long SEED = 14;

    enum LogCompression {
        GZ(GpuGzipCodec.class),
        LZ4(GpuLz4Codec.class),
        SNAPPY(GpuSnappyCodec.class),
        ZSTD(GpuZstdCodec.class),
        BZIP2(GpuBZip2Codec.class);

        private final Class<? extends CompressionCodec> codec;

        LogCompression(Class<? extends CompressionCodec> codec) {
            this.codec = codec;
        }

        private Algorithm algorithm() {
            Configuration conf = new Configuration(false);
            conf.set("hbase.io.compress." + name().toLowerCase(Locale.ROOT) + ".codec", codec.getName());
            conf.set("io.compression.codec.gpu.lz4.framing", "hadoop");
            Algorithm algorithm = Algorithm.valueOf(name());
            assertThat(algorithm.reload(conf)).isInstanceOf(codec);
            return algorithm;
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(60)
    void eachValueComesBackFromItsOwnBytes(LogCompression compression) throws IOException {
        Algorithm algorithm = compression.algorithm();
        ValueCompressor writer = new ValueCompressor(algorithm);
        Random random = new Random(SEED);
        List<byte[]> values = new ArrayList<>();
        List<byte[]> written = new ArrayList<>();
        for (int i = 0; i < VALUES; i++) {
            byte[] value = ("value " + i + " ")
                    .repeat(1 + random.nextInt(i % 100 == 99 ? 20_000 : 40))
                    .getBytes(StandardCharsets.US_ASCII);
            values.add(value);
            written.add(writer.compress(value, 0, value.length));
        }
        writer.clear();
        ValueCompressor reader = new ValueCompressor(algorithm);
        for (int i = 0; i < VALUES; i++) {
            byte[] got = new byte[values.get(i).length];
            byte[] bytes = written.get(i);
            reader.decompress(new ByteArrayInputStream(bytes), bytes.length, got, 0, got.length);
            assertThat(got).as("value %d", i).isEqualTo(values.get(i));
        }
        reader.clear();
    }
}
