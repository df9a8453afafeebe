package io.warpcodec.spark;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.io.CompressionCodec$;

/**
 * What open input streams take that have read their first 1,000 bytes: heap, and memory of native libraries, per
 * stream, of our codecs and of stock's.
 *
 * <pre>
 * java [-Drows=REGEX] -cp ... io.warpcodec.spark.OpenStreamTable [HEAP [COUNT...]]
 * </pre>
 *
 * Each cell is a JVM of its own with that heap, all of it touched before. Heap is what is in use after a collection,
 * native memory what the process has more of than before. Sources are arrays that all streams share. Each stream
 * reads a file of 4 MB of text that the same codec wrote, or stock's where the row says so.
 */
public final class OpenStreamTable {
    private static final int RAW_BYTES = 4 << 20;
    private static final int READ_BYTES = 1000;
    private static final int KIB = 1 << 10;
    private static final double MOST_OF_HEAP = 0.85;

    private OpenStreamTable() {}

    /** A reader and the writer of its file. */
    private record Row(Opener<InputStream, InputStream> reader, Opener<OutputStream, OutputStream> writer) {}

    private interface Opener<S, T> {
        T open(S inner) throws IOException;
    }

    private interface RowMaker {
        Row make() throws ReflectiveOperationException;
    }

    private static Map<String, RowMaker> rows() {
        Map<String, RowMaker> rows = new LinkedHashMap<>();
        String ours = "io.warpcodec.hadoop.Gpu";
        String stock = "org.apache.hadoop.io.compress.";
        for (String name : List.of("GzipCodec", "DeflateCodec", "BZip2Codec", "SnappyCodec", "Lz4Codec")) {
            rows.put(name, () -> hadoop(ours + name, ours + name));
            rows.put(name + ", stock's file", () -> hadoop(ours + name, stock + name));
            rows.put("stock " + name, () -> hadoop(stock + name, stock + name));
        }
        rows.put("ZstdCodec", () -> hadoop(ours + "ZstdCodec", ours + "ZstdCodec"));
        for (CodecPair pair : CodecPair.values()) {
            rows.put("Spark " + pair, () -> spark(pair.className(), pair.className()));
            if (pair.stockName() != null) {
                rows.put("Spark " + pair + ", stock's file", () -> spark(pair.className(), pair.stockName()));
                rows.put("Spark stock " + pair, () -> spark(pair.stockName(), pair.stockName()));
            }
        }
        return rows;
    }

    private static Row hadoop(String reader, String writer) throws ReflectiveOperationException {
        return new Row(codec(reader)::createInputStream, codec(writer)::createOutputStream);
    }

    private static org.apache.hadoop.io.compress.CompressionCodec codec(String name)
            throws ReflectiveOperationException {
        return (org.apache.hadoop.io.compress.CompressionCodec)
                ReflectionUtils.newInstance(Class.forName(name), new Configuration());
    }

    private static Row spark(String reader, String writer) {
        SparkConf conf = new SparkConf(false);
        CompressionCodec reading = CompressionCodec$.MODULE$.createCodec(conf, reader);
        CompressionCodec writing = CompressionCodec$.MODULE$.createCodec(conf, writer);
        return new Row(reading::compressedInputStream, writing::compressedOutputStream);
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 3 && arguments[0].equals("--cell")) {
            Row row = rows().get(arguments[1]).make();
            System.out.println(cell(row, Integer.parseInt(arguments[2])));
            return;
        }
        String heap = arguments.length > 0 ? arguments[0] : "3g";
        int[] counts = arguments.length > 1
                ? Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray()
                : new int[] {1, 100, 10_000};
        System.out.printf("%-36s", "KiB a stream, heap + native; streams:");
        for (int count : counts) {
            System.out.printf("%20d", count);
        }
        System.out.println();
        for (String label : rows().keySet()) {
            if (!label.matches(System.getProperty("rows", ".*"))) {
                continue;
            }
            System.out.printf("%-36s", label);
            double heapKib = 0;
            for (int count : counts) {
                boolean fits = heapKib * KIB * count <= bytes(heap) * MOST_OF_HEAP;
                String cell = fits ? inJvm(heap, label, count) : "not in " + heap;
                System.out.printf("%20s", cell);
                heapKib = cell.contains("+") ? Double.parseDouble(cell.substring(0, cell.indexOf(' '))) : heapKib;
            }
            System.out.println();
        }
    }

    private static long bytes(String heap) {
        return Long.parseLong(heap.substring(0, heap.length() - 1)) << (heap.endsWith("g") ? 30 : 20);
    }

    private static String inJvm(String heap, String label, int count) throws IOException {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms" + heap,
                        "-Xmx" + heap,
                        "-XX:+UseParallelGC",
                        "-XX:+AlwaysPreTouch",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OpenStreamTable.class.getName(),
                        "--cell",
                        label,
                        Integer.toString(count))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (InputStream out = jvm.getInputStream()) {
            String all = new String(out.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).strip();
            String last = all.substring(all.lastIndexOf('\n') + 1);
            return last.contains(" + ") ? last : "does not run";
        }
    }

    private static byte[] file(Row row) throws IOException {
        byte[] raw = new byte[RAW_BYTES];
        Random random = new Random(1);
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) ("warp and weft \n".charAt(random.nextInt(random.nextInt(15) + 1)));
        }
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = row.writer().open(file)) {
            out.write(raw);
        }
        return file.toByteArray();
    }

    /** Opens so many streams after a first one, which loads classes and libraries and stays open too. */
    private static String cell(Row row, int count) throws IOException {
        byte[] file = file(row);
        List<InputStream> open = new ArrayList<>(count + 1);
        long heapBefore = 0;
        long processBefore = 0;
        for (int i = 0; i <= count; i++) {
            if (i == 1) {
                heapBefore = heapBytes();
                processBefore = processBytes();
            }
            InputStream in = row.reader().open(new ByteArrayInputStream(file));
            open.add(in);
            if (in.readNBytes(READ_BYTES).length != READ_BYTES) {
                throw new IOException("the file is too short");
            }
        }
        double heap = (double) (heapBytes() - heapBefore) / count;
        double others = (double) Math.max(0, processBytes() - processBefore) / count;
        String cell = String.format(Locale.ROOT, "%.1f + %.1f", heap / KIB, others / KIB);
        for (InputStream in : open) {
            in.close();
        }
        return cell;
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Memory of the process that no file is behind. */
    private static long processBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
            }
        }
        return 0;
    }
}
