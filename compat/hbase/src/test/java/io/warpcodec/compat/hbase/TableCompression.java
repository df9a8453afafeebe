package io.warpcodec.compat.hbase;

import io.warpcodec.Format;
import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.compress.ReusableStreamGzipCodec;
import org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec;
import org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Lz4Codec;

/**
 * HBase's words for compression that a codec of ours can serve. Each word has that codec, and the codec that HBase
 * takes or recommends without it.
 */
enum TableCompression {
    GZ(Format.GZIP, GpuGzipCodec.class, ReusableStreamGzipCodec.class),
    LZ4(Format.LZ4, GpuLz4Codec.class, Lz4Codec.class),
    SNAPPY(Format.SNAPPY, GpuSnappyCodec.class, SnappyCodec.class),
    ZSTD(Format.ZSTD, GpuZstdCodec.class, ZstdCodec.class),
    /** HBase takes Hadoop's codec, which serves HBase only with Hadoop's native library. */
    BZIP2(Format.BZIP2, GpuBZip2Codec.class, BZip2Codec.class);

    private final Format format;
    private final Class<? extends CompressionCodec> ours;
    private final Class<? extends CompressionCodec> theirs;

    TableCompression(Format format, Class<? extends CompressionCodec> ours, Class<? extends CompressionCodec> theirs) {
        this.format = format;
        this.ours = ours;
        this.theirs = theirs;
    }

    Format format() {
        return format;
    }

    Algorithm algorithm() {
        return Algorithm.valueOf(name());
    }

    /** The key of hbase-site.xml that names the codec. */
    String key() {
        return "hbase.io.compress." + name().toLowerCase(Locale.ROOT) + ".codec";
    }

    /** Makes the region server use our codec from now on. */
    void useOurs(Configuration conf) {
        use(ours, conf);
    }

    /** Makes the region server use HBase's codec from now on. */
    void useTheirs(Configuration conf) {
        use(theirs, conf);
    }

    private void use(Class<? extends CompressionCodec> codec, Configuration conf) {
        conf.set(key(), codec.getName());
        CompressionCodec used = algorithm().reload(conf);
        if (used.getClass() != codec) {
            throw new IllegalStateException(key() + " gave " + used.getClass());
        }
    }
}
