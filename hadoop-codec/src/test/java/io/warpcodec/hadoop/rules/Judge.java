package io.warpcodec.hadoop.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.Decoding;
import io.warpcodec.hadoop.Outcome;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.hadoop.Sizes;
import io.warpcodec.hadoop.Trickle;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;

/** Says what a codec makes of a forged file, on both entry paths and with small and large pieces. */
final class Judge {
    private final CodecUnderTest format;
    private final CompressionCodec codec;
    private final Decompressor decompressor;

    Judge(CodecUnderTest format) {
        this(format, format.conf());
    }

    Judge(CodecUnderTest format, Configuration conf) {
        this.format = format;
        this.codec = format.codec(conf);
        this.decompressor = codec.createDecompressor();
    }

    /** The file is these bytes, on every path. */
    void reads(byte[] file, byte[] content) {
        for (Outcome outcome : outcomes(file)) {
            assertThat(outcome.isExactly(content)).as(outcome.toString()).isTrue();
        }
    }

    /**
     * As {@link #reads}, but on two paths only: the stream, and a bare decompressor that has all of the file at once.
     * Behind a finished stream a decompressor takes no more than what lies in the same feed.
     */
    void readsInOneFeed(byte[] file, byte[] content) {
        Outcome outcome = stream(file);
        assertThat(outcome.isExactly(content)).as(outcome.toString()).isTrue();
        Outcome bare = bare(file, Sizes.of(file.length), Sizes.of(4096));
        assertThat(bare.isExactly(content)).as(bare.toString()).isTrue();
    }

    /** The file is refused on every path, with an offset and a reason, and a good one is read right after it. */
    void refuses(byte[] file) throws IOException {
        refuses(file, -1);
    }

    /** The stream delivers this many bytes before it refuses the file. */
    void refuses(byte[] file, long deliveredBytes) throws IOException {
        for (Outcome outcome : outcomes(file)) {
            assertThat(outcome.error()).as(outcome.toString()).isInstanceOf(IOException.class);
            // the end of a bare decompressor's file is seen by its driver, which knows no offset
            if (!outcome.error().getMessage().equals("Unexpected end of input stream")) {
                assertThat(outcome.error().getMessage())
                        .containsPattern("offset \\d+")
                        .containsPattern(": \\w+");
            }
            if (deliveredBytes >= 0) {
                assertThat(outcome.bytes()).as(outcome.toString()).isEqualTo(deliveredBytes);
            }
        }
        byte[] text = Payloads.text(1000, 12);
        reads(Coding.compress(codec, text), text);
    }

    /** The file ends too early, on every path. */
    void missesTheEnd(byte[] file) throws IOException {
        for (Outcome outcome : outcomes(file)) {
            assertThat(outcome.error()).as(outcome.toString()).isInstanceOf(EOFException.class);
        }
        refuses(file);
    }

    Outcome stream(byte[] file) {
        return Decoding.throughStream(codec, null, new ByteArrayInputStream(file), Sizes.of(4096));
    }

    private Outcome[] outcomes(byte[] file) {
        return new Outcome[] {
            stream(file),
            Decoding.throughStream(codec, null, new Trickle(new ByteArrayInputStream(file), Sizes.of(1)), Sizes.of(7)),
            bare(file, Sizes.of(65_536), Sizes.of(4096)),
            bare(file, Sizes.of(1), Sizes.of(7))
        };
    }

    private Outcome bare(byte[] file, Sizes feeds, Sizes outputs) {
        decompressor.reset();
        return Decoding.throughDecompressor(decompressor, new ByteArrayInputStream(file), feeds, outputs);
    }

    @Override
    public String toString() {
        return format.toString();
    }
}
