package io.warpcodec.demo;

import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.util.ReflectionUtils;

/**
 * Generates lineitem on HDFS and reads it back through one codec, without a job, file by file on as many threads as
 * there are files.
 */
final class LineitemFiles {

    /** Raw text of the whole lineitem table at scale factor 1. */
    private static final double BYTES_AT_SCALE_ONE = 759_000_000.0;

    private static final int READ_BYTES = 64 << 10;

    private final FileSystem fileSystem;

    LineitemFiles(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
    }

    /**
     * Writes about {@code sizeBytes} of text into {@code fileCount} files of {@code folder} and returns what was
     * written.
     */
    LineitemSummary generate(Path folder, long sizeBytes, int fileCount) throws IOException, InterruptedException {
        double scale = sizeBytes / BYTES_AT_SCALE_ONE;
        List<Callable<LineitemSummary>> parts = new ArrayList<>();
        for (int part = 1; part <= fileCount; part++) {
            LineItemGenerator rows = new LineItemGenerator(scale, part, fileCount);
            Path file = new Path(folder, "lineitem-" + part + ".tbl");
            parts.add(() -> {
                LineitemSummary written = new LineitemSummary();
                try (OutputStream out = new BufferedOutputStream(fileSystem.create(file), READ_BYTES)) {
                    for (LineItem row : rows) {
                        byte[] line = row.toLine().getBytes(StandardCharsets.ISO_8859_1);
                        written.addRow(line, 0, line.length);
                        out.write(line);
                        out.write('\n');
                    }
                }
                return written;
            });
        }
        return sumOf(parts);
    }

    /**
     * Reads every file of {@code folder} to its end through {@code codecClass} (null: plain text) and returns what
     * was in them.
     */
    LineitemSummary read(Path folder, String codecClass, Configuration conf) throws IOException, InterruptedException {
        CompressionCodec codec = codecClass == null ? null : newCodec(codecClass, conf);
        List<Callable<LineitemSummary>> parts = new ArrayList<>();
        for (Path file : dataFiles(folder)) {
            parts.add(() -> readFile(file, codec));
        }
        return sumOf(parts);
    }

    /** The files of a folder that hold data: not {@code _SUCCESS}. */
    List<Path> dataFiles(Path folder) throws IOException {
        return Arrays.stream(fileSystem.listStatus(folder))
                .filter(status -> !status.getPath().getName().startsWith("_"))
                .map(FileStatus::getPath)
                .toList();
    }

    /** Bytes of all data files of a folder. */
    long sizeBytes(Path folder) throws IOException {
        long bytes = 0;
        for (Path file : dataFiles(folder)) {
            bytes += fileSystem.getFileStatus(file).getLen();
        }
        return bytes;
    }

    private LineitemSummary readFile(Path file, CompressionCodec codec) throws IOException {
        Decompressor decompressor = codec == null ? null : CodecPool.getDecompressor(codec);
        try (InputStream raw = fileSystem.open(file);
                InputStream in = codec == null ? raw : codec.createInputStream(raw, decompressor)) {
            return summarise(file, in);
        } finally {
            CodecPool.returnDecompressor(decompressor);
        }
    }

    private static LineitemSummary summarise(Path file, InputStream in) throws IOException {
        LineitemSummary summary = new LineitemSummary();
        byte[] buffer = new byte[READ_BYTES];
        int held = 0;
        for (int read; (read = in.read(buffer, held, buffer.length - held)) >= 0; ) {
            held = addWholeLines(summary, buffer, held + read);
            if (held == buffer.length) {
                throw new IOException(file + ": a line of more than " + READ_BYTES + " bytes");
            }
        }
        if (held > 0) {
            summary.addRow(buffer, 0, held);
        }
        return summary;
    }

    private static CompressionCodec newCodec(String codecClass, Configuration conf) throws IOException {
        try {
            return (CompressionCodec) ReflectionUtils.newInstance(conf.getClassByName(codecClass), conf);
        } catch (ClassNotFoundException e) {
            throw new IOException("no class " + codecClass, e);
        }
    }

    /** Adds the lines that end before {@code limit}, moves the rest to the front and returns its length. */
    private static int addWholeLines(LineitemSummary summary, byte[] buffer, int limit) {
        int lineStart = 0;
        for (int i = 0; i < limit; i++) {
            if (buffer[i] == '\n') {
                summary.addRow(buffer, lineStart, i - lineStart);
                lineStart = i + 1;
            }
        }
        System.arraycopy(buffer, lineStart, buffer, 0, limit - lineStart);
        return limit - lineStart;
    }

    private static LineitemSummary sumOf(List<Callable<LineitemSummary>> parts)
            throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.max(1, parts.size()));
        try {
            LineitemSummary sum = new LineitemSummary();
            for (Future<LineitemSummary> part : threads.invokeAll(parts)) {
                sum.add(part.get());
            }
            return sum;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
