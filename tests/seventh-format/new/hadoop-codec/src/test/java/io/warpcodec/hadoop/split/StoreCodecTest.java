package io.warpcodec.hadoop.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.GpuStoreCodec;
import io.warpcodec.hadoop.split.SplitLines.Api;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The seventh format behind Hadoop's readers: each line once at every split size. */
class StoreCodecTest {
    @TempDir
    Path folder;

    @Test
    void everyLineComesOnceAtEverySplitSize() throws Exception {
        Configuration conf = new Configuration();
        conf.set("io.compression.codecs", GpuStoreCodec.class.getName());
        conf.set("io.compression.codec.gpu.chunk.size", "1k");
        var codec = new CompressionCodecFactory(conf).getCodecByClassName(GpuStoreCodec.class.getName());
        byte[] content = IntStream.range(0, 2000)
                .mapToObj(i -> "line " + i + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.US_ASCII);
        Path file = Files.write(folder.resolve("lines.store"), Coding.compress(codec, content));
        SplitLines lines = new SplitLines(conf, file, null, content);
        for (Api api : Api.values()) {
            for (long splitBytes : new long[] {100, 1036, 1037, 5000, Files.size(file)}) {
                lines.checkSplitSize(api, splitBytes);
            }
        }
        assertThat(lines.lineCount()).isEqualTo(2000);
    }
}
