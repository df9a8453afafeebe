package io.warpcodec.hadoop.split;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.forge.Bzip2Forge;
import io.warpcodec.forge.GzipForge;
import io.warpcodec.hadoop.split.SplitLines.Api;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.SplitCompressionInputStream;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checker of splits itself: content with Hadoop's own codec, and not content with codecs that break a rule. */
class SplitHarnessTest {
    @TempDir
    Path folder;

    private Path file;
    private byte[] content;

    @BeforeEach
    void threeBlocks() throws IOException {
        Bzip2Forge forge = new Bzip2Forge().header("BZh9");
        Bytes all = new Bytes();
        for (String block : new String[] {"one\ntwo\nth", "ree\nfour\n", "five\nsix\nseven\n"}) {
            forge.block(block.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            all.ascii(block);
        }
        content = all.toArray();
        file = folder.resolve("three.bz2");
        Files.write(file, forge.end().toArray());
    }

    private SplitLines lines(Class<?> codec) throws IOException {
        Configuration conf = new Configuration();
        conf.set("io.compression.codecs", codec.getName());
        return new SplitLines(conf, file, null, content);
    }

    @Test
    void stockBZip2CodecDeliversEachLineOnceAtEverySplitSize() throws IOException {
        for (Api api : Api.values()) {
            SplitLines lines = lines(BZip2Codec.class);
            for (int size = 1; size <= Files.size(file); size++) {
                lines.checkSplitSize(api, size);
            }
        }
    }

    @Test
    void aCodecThatReadsTheWholeFileForEachSplitIsFoundOut() throws IOException {
        SplitLines lines = lines(WholeFileEachTime.class);
        assertThatThrownBy(() -> lines.checkSplitSize(Api.MAPREDUCE, 40)).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> lines.checkSplitSize(Api.MAPRED, 40)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aCodecThatNeverMovesItsPositionIsFoundOut() throws IOException {
        SplitLines lines = lines(PositionStuck.class);
        assertThatThrownBy(() -> {
                    for (int size = 1; size <= Files.size(file); size++) {
                        lines.checkSplitSize(Api.MAPREDUCE, size);
                    }
                })
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void aCodecThatIsNotSplittableIsFoundOut() throws IOException {
        Path plain = folder.resolve("plain.gz");
        Files.write(plain, GzipForge.member(content).build());
        Configuration conf = new Configuration();
        conf.set("io.compression.codecs", GzipCodec.class.getName());
        SplitLines lines = new SplitLines(conf, plain, null, content);
        assertThatThrownBy(() -> lines.checkSplitSize(Api.MAPREDUCE, 10))
                .isInstanceOfAny(AssertionError.class, IOException.class);
    }

    /** Breaks the rule that the codec seeks to its split and owns only the blocks that start there. */
    public static final class WholeFileEachTime extends BZip2Codec implements SplittableCompressionCodec {
        @Override
        public SplitCompressionInputStream createInputStream(
                InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
            return super.createInputStream(in, decompressor, 0, Long.MAX_VALUE, mode);
        }
    }

    /** Breaks the rule that getPos() moves to one behind a block's start with its first byte. */
    public static final class PositionStuck extends BZip2Codec implements SplittableCompressionCodec {
        @Override
        public SplitCompressionInputStream createInputStream(
                InputStream in, Decompressor decompressor, long start, long end, READ_MODE mode) throws IOException {
            SplitCompressionInputStream right = super.createInputStream(in, decompressor, start, end, mode);
            return new SplitCompressionInputStream(in, start, end) {
                @Override
                public int read() throws IOException {
                    return right.read();
                }

                @Override
                public int read(byte[] b, int off, int len) throws IOException {
                    return right.read(b, off, len);
                }

                @Override
                public void resetState() throws IOException {
                    right.resetState();
                }

                @Override
                public long getPos() {
                    return start;
                }
            };
        }
    }
}
