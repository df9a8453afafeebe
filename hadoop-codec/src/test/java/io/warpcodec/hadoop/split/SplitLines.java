package io.warpcodec.hadoop.split;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.LineReader;

/**
 * Reads a compressed text file split by split through Hadoop's LineRecordReader, old and new API, and says whether each
 * line came exactly once and in order.
 */
final class SplitLines {
    private final Configuration conf;
    private final org.apache.hadoop.fs.Path file;
    private final long fileBytes;
    private final String delimiter;
    private final List<String> expected;
    private final TaskAttemptContextImpl context;
    /** What a split holds depends on nothing but its bounds; many lists of boundaries share splits. */
    private final Map<List<Long>, List<String>> known = new HashMap<>();

    enum Api {
        MAPREDUCE,
        MAPRED
    }

    /** Lines of very different lengths, empty ones too, numbered, so that no two are alike. */
    static byte[] numbered(int bytes, String ending, long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < bytes; i++) {
            text.append(i);
            for (int fill = random.nextInt(1 << random.nextInt(6)); fill > 0; fill--) {
                text.append((char) ('A' + random.nextInt(26)));
            }
            text.append(random.nextInt(12) == 0 ? ending + ending : ending);
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * @param delimiter the record delimiter, or null for Hadoop's default of LF, CR and CRLF
     * @param content what the whole file decodes to
     */
    SplitLines(Configuration conf, Path file, String delimiter, byte[] content) throws IOException {
        this(conf, new org.apache.hadoop.fs.Path(file.toUri()), Files.size(file), delimiter, content);
        this.conf.setClass("fs.file.impl", RawLocalFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    }

    /** As {@link #SplitLines(Configuration, Path, String, byte[])}, but of a file in memory. */
    static SplitLines inMemory(Configuration conf, byte[] file, String suffix, String delimiter, byte[] content)
            throws IOException {
        Configuration withMemory = new Configuration(conf);
        org.apache.hadoop.fs.Path path = MemoryFiles.add(file, suffix, withMemory);
        return new SplitLines(withMemory, path, file.length, delimiter, content);
    }

    /**
     * As {@link #SplitLines(Configuration, Path, String, byte[])}, but of a file in the file system, however slow, that
     * the path and the settings {@code fs.file.*} and {@code fs.memory.*} say.
     */
    SplitLines(Configuration conf, org.apache.hadoop.fs.Path file, long fileBytes, String delimiter, byte[] content)
            throws IOException {
        // readers look through all settings time and again: none but those that count
        this.conf = new Configuration(false);
        conf.getPropsWithPrefix("io.compression.")
                .forEach((word, value) -> this.conf.set("io.compression." + word, value));
        for (String prefix : List.of("fs.file.", "fs.memory.")) {
            conf.getPropsWithPrefix(prefix).forEach((word, value) -> this.conf.set(prefix + word, value));
        }
        this.conf.setInt("mapreduce.input.linerecordreader.line.maxlength", Integer.MAX_VALUE);
        if (delimiter != null) {
            this.conf.set("textinputformat.record.delimiter", delimiter);
        }
        this.file = file;
        this.fileBytes = fileBytes;
        this.delimiter = delimiter;
        this.expected = plainLines(content);
        this.context = new TaskAttemptContextImpl(this.conf, new TaskAttemptID());
    }

    /** The lines of uncompressed content, as Hadoop's LineReader sees them without any split. */
    private List<String> plainLines(byte[] content) throws IOException {
        List<String> lines = new ArrayList<>();
        try (LineReader reader = new LineReader(new ByteArrayInputStream(content), delimiterBytes())) {
            Text line = new Text();
            while (reader.readLine(line) > 0) {
                lines.add(exact(line));
            }
        }
        return lines;
    }

    private byte[] delimiterBytes() {
        return delimiter == null ? null : delimiter.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes as characters, one to one, so that lines that are no UTF-8 compare exactly. */
    private static String exact(Text line) {
        return new String(line.getBytes(), 0, line.getLength(), StandardCharsets.ISO_8859_1);
    }

    int lineCount() {
        return expected.size();
    }

    /** Throws an AssertionError unless the splits of {@code splitBytes} each deliver every line exactly once. */
    void checkSplitSize(Api api, long splitBytes) throws IOException {
        int cuts = Math.toIntExact((fileBytes - 1) / splitBytes);
        long[] boundaries = new long[cuts];
        for (int i = 0; i < cuts; i++) {
            boundaries[i] = (i + 1) * splitBytes;
        }
        check(api, boundaries);
    }

    /**
     * As {@link #checkSplitSize}, but for splits between the given ascending offsets, 0 and the end of the file being
     * understood.
     */
    void check(Api api, long... boundaries) throws IOException {
        List<String> got = new ArrayList<>(expected.size());
        long start = 0;
        for (int i = 0; i <= boundaries.length; i++) {
            long end = i < boundaries.length ? boundaries[i] : fileBytes;
            long from = start;
            List<String> lines = read(api, from, end);
            int at = got.size();
            if (at + lines.size() > expected.size() || !lines.equals(expected.subList(at, at + lines.size()))) {
                throw new AssertionError(failure(api, boundaries, from, end, at, lines));
            }
            got.addAll(lines);
            start = end;
        }
        if (got.size() != expected.size()) {
            throw new AssertionError(failure(api, boundaries, 0, fileBytes, got.size(), List.of()));
        }
    }

    private String failure(Api api, long[] boundaries, long start, long end, int at, List<String> lines) {
        String cut = boundaries.length > 12
                ? boundaries.length + " cuts, the first at " + boundaries[0]
                : Arrays.toString(boundaries);
        return file.getName() + " (" + fileBytes + " bytes, " + expected.size() + " lines, delimiter "
                + (delimiter == null ? "default" : delimiter) + ", " + api + ", cuts " + cut + "): split [" + start
                + ","
                + end + ") delivers " + lines.size() + " lines " + clip(lines) + " where lines " + at + "... are "
                + clip(expected.subList(at, expected.size()));
    }

    private static String clip(List<String> lines) {
        return lines.stream()
                .limit(3)
                .map(l -> l.length() > 40 ? l.substring(0, 40) + "..." : l)
                .toList()
                .toString();
    }

    private List<String> read(Api api, long start, long end) throws IOException {
        List<Long> key = List.of((long) api.ordinal(), start, end);
        List<String> lines = known.get(key);
        if (lines == null) {
            lines = api == Api.MAPRED ? readMapred(start, end) : readMapreduce(start, end);
            if (fileBytes < 1 << 16) {
                known.put(key, lines);
            }
        }
        return lines;
    }

    private List<String> readMapreduce(long start, long end) throws IOException {
        List<String> lines = new ArrayList<>();
        try (var reader = new org.apache.hadoop.mapreduce.lib.input.LineRecordReader(delimiterBytes())) {
            reader.initialize(new FileSplit(file, start, end - start, new String[0]), context);
            while (reader.nextKeyValue()) {
                lines.add(exact(reader.getCurrentValue()));
            }
        }
        return lines;
    }

    private List<String> readMapred(long start, long end) throws IOException {
        List<String> lines = new ArrayList<>();
        var split = new org.apache.hadoop.mapred.FileSplit(file, start, end - start, new String[0]);
        var reader = new org.apache.hadoop.mapred.LineRecordReader(conf, split, delimiterBytes());
        try {
            LongWritable key = reader.createKey();
            Text value = reader.createValue();
            while (reader.next(key, value)) {
                lines.add(exact(value));
            }
        } finally {
            reader.close();
        }
        return lines;
    }
}
