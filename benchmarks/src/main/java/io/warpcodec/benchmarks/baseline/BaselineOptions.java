package io.warpcodec.benchmarks.baseline;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;

/**
 * What {@link CpuBaseline} is asked to do.
 *
 * @param seconds measured seconds for each codec at each point
 * @param megabytes size of the raw text
 * @param bufferBytes size of one read or write
 * @param pairs which pairs
 * @param directions {@code read}, {@code write}
 * @param files for reading: {@code own}, {@code stock}, {@code ours}
 * @param threads thread counts
 * @param out path of the results without {@code .csv} and {@code .md}
 * @param commit the commit measured, null to ask git
 */
record BaselineOptions(
        double seconds,
        int megabytes,
        int bufferBytes,
        List<CodecPair> pairs,
        List<String> directions,
        List<String> files,
        List<Integer> threads,
        Path out,
        String commit) {

    static final String USAGE = """
            usage: CpuBaseline [--seconds S] [--size MB] [--only PAIR,...] [--direction read,write] [--file own,stock,ours]
                               [--threads 1,2] [--buffer BYTES] [--out PATH] [--commit ID]
              --seconds    measured seconds for each codec at each point (default 1.5)
              --size       raw text in MB (default 100)
              --only       pairs (default all): gz deflate bz2 snappy lz4-hadoop lz4-frame zst spark-lz4 spark-zstd
                           spark-snappy spark-gzip
              --file       which files are read: each codec's own, or one codec's by both (default own,stock)
              --out        results are PATH.csv and PATH.md (default cpu-baseline)""";

    /** @throws IllegalArgumentException if an argument is unknown or cannot be read */
    static BaselineOptions parse(String[] arguments) {
        double seconds = 1.5;
        int megabytes = 100;
        int bufferBytes = 64 << 10;
        List<CodecPair> pairs = List.of(CodecPair.values());
        List<String> directions = List.of("write", "read");
        List<String> files = List.of("own", "stock");
        List<Integer> threads = List.of(1, 2);
        Path out = Path.of("cpu-baseline");
        String commit = null;
        Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
        while (!left.isEmpty()) {
            String key = left.removeFirst();
            if (left.isEmpty()) {
                throw new IllegalArgumentException(key + " needs a value, or is unknown");
            }
            String value = left.removeFirst();
            switch (key) {
                case "--seconds" -> seconds = Double.parseDouble(value);
                case "--size" -> megabytes = Integer.parseInt(value);
                case "--buffer" -> bufferBytes = Integer.parseInt(value);
                case "--only" -> pairs = words(value).map(CodecPair::ofWord).toList();
                case "--direction" -> directions = words(value).toList();
                case "--file" -> files = words(value).toList();
                case "--threads" -> threads = words(value).map(Integer::valueOf).toList();
                case "--out" -> out = Path.of(value);
                case "--commit" -> commit = value;
                default -> throw new IllegalArgumentException("unknown option " + key);
            }
        }
        return new BaselineOptions(seconds, megabytes, bufferBytes, pairs, directions, files, threads, out, commit);
    }

    private static Stream<String> words(String list) {
        return Arrays.stream(list.split(","));
    }
}
