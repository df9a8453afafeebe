package io.warpcodec.benchmarks.stream;

import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.LibraryStreamCodec;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.benchmarks.ZstdStreamCodec;
import io.warpcodec.hadoop.GpuBZip2Codec;
import io.warpcodec.hadoop.GpuDeflateCodec;
import io.warpcodec.hadoop.GpuGzipCodec;
import io.warpcodec.hadoop.GpuLz4Codec;
import io.warpcodec.hadoop.GpuSnappyCodec;
import io.warpcodec.hadoop.GpuZstdCodec;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.io.compress.BZip2Codec;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.DeflateCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.io.compress.Lz4Codec;
import org.apache.hadoop.io.compress.SnappyCodec;
import org.xerial.snappy.SnappyInputStream;
import org.xerial.snappy.SnappyOutputStream;

/**
 * One side of {@link HostToHost}: a codec under a name, in one of our modes or a peer's. Thread-safe.
 *
 * @param format {@code lz4}, {@code snappy}, {@code bzip2}, {@code zstd}, {@code gzip} or {@code deflate}; {@code
 *     gzip-1} and {@code gzip-9} are gzip at these levels, likewise deflate; {@code zstd-19} is zstd at its level 19
 * @param name how tables name it
 * @param mode {@code gpu}, {@code auto}, {@code cpu}, or {@code -} for a peer
 * @param codec the streams
 */
record Contestant(String format, String name, String mode, StreamCodec codec) {

    private static final String MODE = "io.compression.codec.gpu.mode";
    private static final String FRAMING = "io.compression.codec.gpu.lz4.framing";
    private static final Pattern ZSTD = Pattern.compile("zstd(-\\d+)?");

    /**
     * What takes part for a format: our codecs in each mode, then the peers.
     *
     * @param words our modes, and {@code alone} for no peers
     * @param settings more settings for our codecs
     */
    static List<Contestant> of(String format, List<String> words, Map<String, String> settings) {
        List<String> modes =
                words.stream().filter(word -> !word.equals("alone")).toList();
        List<Contestant> all = all(format, modes, settings);
        all.removeIf(contestant -> contestant.mode().equals("-") && words.contains("alone"));
        return all;
    }

    /** Ours in mode {@code cpu}, or the same peer. */
    Contestant onCpu() {
        return mode.equals("-")
                ? this
                : all(format, List.of("cpu"), Map.of()).stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }

    private static List<Contestant> all(String format, List<String> modes, Map<String, String> settings) {
        List<Contestant> all = new ArrayList<>();
        switch (format) {
            case "lz4" -> {
                for (String mode : modes) {
                    all.add(new Contestant(
                            format, "GpuLz4Codec frame", mode, ours(GpuLz4Codec.class, settings, MODE, mode)));
                    all.add(new Contestant(
                            format,
                            "GpuLz4Codec hadoop",
                            mode,
                            ours(GpuLz4Codec.class, settings, MODE, mode, FRAMING, "hadoop")));
                }
                all.add(new Contestant(format, "Hadoop Lz4Codec", "-", new HadoopStreamCodec(Lz4Codec.class)));
                all.add(new Contestant(format, "lz4-java frame", "-", LibraryStreamCodec.LZ4_FRAME));
            }
            case "snappy" -> {
                for (String mode : modes) {
                    all.add(new Contestant(
                            format, "GpuSnappyCodec hadoop", mode, ours(GpuSnappyCodec.class, settings, MODE, mode)));
                }
                all.add(new Contestant(format, "Hadoop SnappyCodec", "-", new HadoopStreamCodec(SnappyCodec.class)));
                all.add(new Contestant(format, "snappy-java stream", "-", new SnappyJava()));
            }
            case "gzip", "gzip-1", "gzip-9" ->
                addDeflating(all, format, "Gzip", GpuGzipCodec.class, GzipCodec.class, modes, settings);
            case "deflate", "deflate-1", "deflate-9" ->
                addDeflating(all, format, "Deflate", GpuDeflateCodec.class, DeflateCodec.class, modes, settings);
            case "bzip2" -> {
                for (String mode : modes) {
                    all.add(new Contestant(
                            format, "GpuBZip2Codec", mode, ours(GpuBZip2Codec.class, settings, MODE, mode)));
                }
                all.add(new Contestant(format, "Hadoop BZip2Codec", "-", new HadoopStreamCodec(BZip2Codec.class)));
            }
            default -> {
                if (!ZSTD.matcher(format).matches()) {
                    throw new IllegalArgumentException("no contestants for " + format);
                }
                addZstd(all, format, modes, settings);
            }
        }
        return all;
    }

    /** Both sides at zstd's default level, 3, or at the one behind the format's name. */
    private static void addZstd(List<Contestant> all, String format, List<String> modes, Map<String, String> settings) {
        String level = format.equals("zstd") ? "3" : format.substring("zstd-".length());
        Map<String, String> withLevel = new TreeMap<>(settings);
        withLevel.put("level", level);
        for (String mode : modes) {
            all.add(new Contestant(format, "GpuZstdCodec", mode, ours(GpuZstdCodec.class, withLevel, MODE, mode)));
        }
        all.add(new Contestant(format, "zstd-jni", "-", new ZstdStreamCodec(Integer.parseInt(level))));
    }

    /** Both sides of a format that is DEFLATE inside, at its default level 6 or at the one behind the format's name. */
    private static void addDeflating(
            List<Contestant> all,
            String format,
            String name,
            Class<? extends CompressionCodec> ours,
            Class<? extends CompressionCodec> stock,
            List<String> modes,
            Map<String, String> settings) {
        String level = format.substring(format.indexOf('-') + 1);
        Map<String, String> withLevel = new TreeMap<>(settings);
        String[] stockLevel = {};
        if (!level.equals(format)) {
            withLevel.put("level", level);
            stockLevel = new String[] {"zlib.compress.level", level.equals("1") ? "BEST_SPEED" : "BEST_COMPRESSION"};
        }
        for (String mode : modes) {
            all.add(new Contestant(format, "Gpu" + name + "Codec", mode, ours(ours, withLevel, MODE, mode)));
        }
        all.add(new Contestant(format, "Hadoop " + name + "Codec", "-", new HadoopStreamCodec(stock, stockLevel)));
    }

    private static StreamCodec ours(
            Class<? extends CompressionCodec> type, Map<String, String> settings, String... more) {
        List<String> pairs = new ArrayList<>(List.of(more));
        settings.forEach((key, value) -> {
            pairs.add("io.compression.codec.gpu." + key);
            pairs.add(value);
        });
        return new HadoopStreamCodec(type, pairs.toArray(String[]::new));
    }

    /** snappy-java's own streams with 64 KiB blocks. */
    private static final class SnappyJava implements StreamCodec {
        @Override
        public OutputStream compress(OutputStream sink) {
            return new SnappyOutputStream(sink, CodecWork.OPERATION_BYTES);
        }

        @Override
        public InputStream decompress(InputStream source) throws IOException {
            return new SnappyInputStream(source);
        }
    }
}
