package io.warpcodec.hadoop.race;

import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.SplittableCompressionCodec;

/**
 * Compressed files for a race, each of other content: every eight bytes name their file and place, so that bytes of
 * another file or place differ. Thread-safe.
 */
final class RaceFiles {
    private static final int[] RAW_BYTES = {3_000, 40_000, 150_000, 400_000, 900_000, 300_000};
    private static final int[] CHUNK_BYTES = {16 << 10, 256 << 10, 64 << 10};

    private final FileSystem fileSystem;
    private final List<RaceFile> files;

    /**
     * A file of a codec.
     *
     * @param raw all of its content
     * @param bytes its length
     * @param second what a split from half of the file on delivers; null if the codec has no splits
     */
    record RaceFile(String name, Path path, CompressionCodec codec, byte[] raw, int bytes, byte[] second) {
        InputStream secondHalf(InputStream source) throws IOException {
            return ((SplittableCompressionCodec) codec)
                    .createInputStream(source, null, bytes / 2, bytes, SplittableCompressionCodec.READ_MODE.BYBLOCK);
        }
    }

    private RaceFiles(FileSystem fileSystem, List<RaceFile> files) {
        this.fileSystem = fileSystem;
        this.files = files;
    }

    static RaceFiles write(CodecUnderTest subject, Path folder, long seed) throws IOException {
        LocalFileSystem local = FileSystem.newInstanceLocal(new Configuration(false));
        RaceFiles result = new RaceFiles(local.getRaw(), new ArrayList<>());
        for (int i = 0; i < RAW_BYTES.length; i++) {
            Configuration conf = subject.conf();
            conf.setInt(CodecUnderTest.PREFIX + "chunk.size", CHUNK_BYTES[i % CHUNK_BYTES.length]);
            CompressionCodec codec = subject.codec(conf);
            byte[] raw = content(RAW_BYTES[i], seed + i);
            byte[] file = Coding.compressToFile(codec, raw);
            Path path = Files.write(folder.resolve("file-" + i), file);
            RaceFile made = new RaceFile("file " + i, path, codec, raw, file.length, null);
            if (subject.splittableClass) {
                try (InputStream in = made.secondHalf(result.open(made))) {
                    made = new RaceFile(made.name(), path, codec, raw, file.length, in.readAllBytes());
                }
            }
            result.files.add(made);
        }
        return result;
    }

    private static byte[] content(int bytes, long seed) {
        Random random = new Random(seed);
        String id = Long.toString(seed & 0xfff, 36);
        StringBuilder text = new StringBuilder(bytes + 100);
        while (text.length() < bytes) {
            text.append(id).append(' ').append(text.length()).append(' ');
            for (int words = random.nextInt(6); words > 0; words--) {
                text.append((char) ('a' + random.nextInt(20))).append("warp and weft ", 0, random.nextInt(14));
            }
        }
        return text.substring(0, bytes).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    RaceFile any(Random random) {
        return files.get(random.nextInt(files.size()));
    }

    /** A stream that can seek, with a descriptor of its own. */
    FSDataInputStream open(RaceFile file) throws IOException {
        return fileSystem.open(new org.apache.hadoop.fs.Path(file.path().toUri()));
    }
}
