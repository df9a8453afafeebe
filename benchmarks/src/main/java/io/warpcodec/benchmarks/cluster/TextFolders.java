package io.warpcodec.benchmarks.cluster;

import io.warpcodec.benchmarks.TpchText;
import io.warpcodec.benchmarks.job.TextCodecs;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * What the jobs read: a folder of text and a folder of the same compressed by the stock codec, each file a copy of
 * the first.
 *
 * @param text the folder of files that are not compressed
 * @param compressed the other one
 * @param fileBytes raw bytes of a file
 * @param files in each folder
 */
record TextFolders(Path text, Path compressed, long fileBytes, int files) {
    private static final int PIECE_BYTES = 64 << 20;

    /** @param leastBytes of raw text in a file, which has whole lines; pieces of the same 64 MiB */
    static TextFolders write(Path folder, TextCodecs codecs, long leastBytes, int files) throws IOException {
        byte[] piece = TpchText.lineitem((int) Math.min(leastBytes, PIECE_BYTES));
        int limit = piece.length;
        while (piece[limit - 1] != '\n') {
            limit--;
        }
        Path text = Files.createDirectories(folder.resolve("text"));
        Path compressed = Files.createDirectories(folder.resolve("compressed"));
        Path firstText = text.resolve("file-000.txt");
        Path first = compressed.resolve("file-000" + codecs.suffix());
        long written = 0;
        try (OutputStream plain = Files.newOutputStream(firstText);
                OutputStream packed =
                        codecs.foreign().compress(new BufferedOutputStream(Files.newOutputStream(first), 1 << 20))) {
            while (written < leastBytes) {
                plain.write(piece, 0, limit);
                packed.write(piece, 0, limit);
                written += limit;
            }
        }
        for (int file = 1; file < files; file++) {
            String name = String.format(Locale.ROOT, "file-%03d", file);
            Files.copy(firstText, text.resolve(name + ".txt"));
            Files.copy(first, compressed.resolve(name + codecs.suffix()));
        }
        return new TextFolders(text, compressed, written, files);
    }

    long rawBytes() {
        return fileBytes * files;
    }

    /** Bytes of all files of a folder whose names begin so. */
    static long bytes(Path folder, String prefix) throws IOException {
        long sum = 0;
        for (Path file : files(folder, prefix)) {
            sum += Files.size(file);
        }
        return sum;
    }

    /**
     * What a job has written, decoded by the stock codec: bytes, and a checksum over the checksums of its files in
     * the order of their names.
     */
    static String decoded(Path folder, TextCodecs codecs) throws IOException {
        List<long[]> parts = files(folder, "part-").parallelStream()
                .map(file -> decode(file, codecs))
                .toList();
        CRC32 all = new CRC32();
        long bytes = 0;
        for (long[] part : parts) {
            bytes += part[0];
            all.update(Long.toHexString(part[1]).getBytes(StandardCharsets.US_ASCII));
        }
        return bytes + "/" + Long.toHexString(all.getValue());
    }

    private static long[] decode(Path file, TextCodecs codecs) {
        CRC32 crc = new CRC32();
        long bytes = 0;
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = codecs.foreign().decompress(Files.newInputStream(file))) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                crc.update(buffer, 0, count);
                bytes += count;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(file.toString(), failed);
        }
        return new long[] {bytes, crc.getValue()};
    }

    private static List<Path> files(Path folder, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    /** Deletes a folder and all in it. */
    static void delete(Path folder) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(folder)) {
            all = files.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }
}
