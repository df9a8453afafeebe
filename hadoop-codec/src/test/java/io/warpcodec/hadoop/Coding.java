package io.warpcodec.hadoop;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionOutputStream;
import org.apache.hadoop.io.compress.Compressor;

/** Whole byte arrays through a codec. */
public final class Coding {
    private Coding() {}

    public static byte[] compress(CompressionCodec codec, byte[] content) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CompressionOutputStream out = codec.createOutputStream(file)) {
            out.write(content);
        }
        return file.toByteArray();
    }

    /** As where a file of a Hadoop file system is written, whose chunks all say where they end. */
    public static byte[] compressToFile(CompressionCodec codec, byte[] content) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (CompressionOutputStream out = codec.createOutputStream(new FSDataOutputStream(file, null))) {
            out.write(content);
        }
        return file.toByteArray();
    }

    public static byte[] decompress(CompressionCodec codec, byte[] file) throws IOException {
        try (InputStream in = codec.createInputStream(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        }
    }

    /** Through the bare Compressor, fed and drained in pieces of the given sizes. */
    public static byte[] compress(Compressor compressor, byte[] content, Sizes feeds, Sizes outputs)
            throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        byte[] out = new byte[outputs.max()];
        int fed = 0;
        while (!compressor.finished()) {
            if (compressor.needsInput()) {
                if (fed < content.length) {
                    int feed = Math.min(feeds.next(), content.length - fed);
                    compressor.setInput(content, fed, feed);
                    fed += feed;
                } else {
                    compressor.finish();
                }
            }
            boolean wasFinishing = fed == content.length;
            int got = compressor.compress(out, 0, outputs.next());
            file.write(out, 0, got);
            if (got == 0 && !compressor.needsInput() && !compressor.finished() && !wasFinishing) {
                throw new AssertionError("compress returned 0 without need of input: endless loop");
            }
        }
        return file.toByteArray();
    }
}
