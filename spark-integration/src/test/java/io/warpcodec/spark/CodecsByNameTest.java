package io.warpcodec.spark;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.avro.hadoop.file.HadoopCodecFactory;
import org.apache.hadoop.mapred.JobConf;
import org.apache.parquet.hadoop.codec.CodecConfig;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Parquet and Avro choose a codec of their own by the name of Hadoop's class, and know Hadoop's names only:
 * docs/user/migration.md says what to set.
 */
class CodecsByNameTest {
    private static final String STOCK = "org.apache.hadoop.io.compress.";
    private static final String OURS = "io.warpcodec.hadoop.Gpu";

    private static JobConf job(String codec) {
        JobConf job = new JobConf(false);
        job.setBoolean("mapreduce.output.fileoutputformat.compress", true);
        job.set("mapreduce.output.fileoutputformat.compress.codec", codec);
        return job;
    }

    @Test
    void parquetKnowsHadoopsGzip() {
        assertThat(CodecConfig.from(job(STOCK + "GzipCodec")).getCodec()).isEqualTo(CompressionCodecName.GZIP);
    }

    @ParameterizedTest
    @CsvSource({"GzipCodec,GZIP", "SnappyCodec,SNAPPY", "ZstdCodec,ZSTD", "Lz4Codec,LZ4_RAW"})
    void parquetWritesUncompressedByOurNamesUnlessItsOwnSettingSaysMore(String ours, CompressionCodecName wanted) {
        JobConf job = job(OURS + ours);
        assertThat(CodecConfig.from(job).getCodec()).isEqualTo(CompressionCodecName.UNCOMPRESSED);
        job.set("parquet.compression", wanted.name());
        assertThat(CodecConfig.from(job).getCodec()).isEqualTo(wanted);
    }

    @ParameterizedTest
    @CsvSource({"DeflateCodec,DeflateCodec,deflate", "BZip2Codec,BZip2Codec,bzip2", "SnappyCodec,SnappyCodec,snappy"})
    void avroKnowsHadoopsNamesAndNotOurs(String stock, String ours, String avro) {
        assertThat(HadoopCodecFactory.getAvroCodecName(STOCK + stock)).isEqualTo(avro);
        assertThat(HadoopCodecFactory.getAvroCodecName(OURS + ours)).isNull();
    }
}
