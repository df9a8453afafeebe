package io.warpcodec.benchmarks.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.PoolSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short runs of the benchmarks of whole streams: every contestant takes part in every direction. */
class HostToHostTest {
    @TempDir
    Path folder;

    /** A run with devices of its own installs settings. */
    @AfterEach
    void forgetSettings() {
        PoolSettings.install(null);
    }

    @Test
    void everyContestantIsMeasuredInBothDirections() throws Exception {
        Path out = folder.resolve("host.csv");
        HostToHost.main(arguments(out, "--size 1 --modes cpu --threads 1,2"));
        List<String> points = points(out);
        // LZ4: ours in two framings and two peers; Snappy: ours and two peers; two directions, two thread counts
        assertThat(points).hasSize((4 + 3) * 2 * 2);
        assertThat(points).allMatch(line -> Double.parseDouble(line.split(",")[5]) > 0);
        requireNoDevices(points, 3 * 2 * 2);
    }

    @Test
    void memoryIsMeasuredBesideTheFirstDevices() throws Exception {
        Path out = folder.resolve("devices.csv");
        HostToHost.main(arguments(out, "--size 1 --modes cpu,alone --threads 1,2 --devices 4 --formats memory,snappy"));
        assertThat(points(out)).hasSize(2 + 2 * 2);
        assertThat(points(out)).allMatch(line -> Double.parseDouble(line.split(",")[5]) > 0);
        assertThat(points(out).subList(0, 2)).allMatch(line -> line.startsWith("memory,arrays,-,copy,"));
        assertThat(PoolSettings.current().devices()).containsExactly("0", "1", "2", "3");
    }

    private static void requireNoDevices(List<String> points, int count) {
        List<String> sharesOfDevices = points.stream()
                .filter(line -> line.contains(",cpu,"))
                .map(line -> line.split(",")[7])
                .toList();
        // a dash: no unit ended within the few milliseconds of that point
        assertThat(sharesOfDevices).hasSize(count).contains("0.000").isSubsetOf("0.000", "-");
    }

    @Test
    void gzipAndZlibStreamsAreMeasuredAtThreeLevels() throws Exception {
        Path out = folder.resolve("deflating.csv");
        HostToHost.main(arguments(
                out, "--size 1 --modes cpu --threads 2 --formats gzip,gzip-1,gzip-9,deflate,deflate-1,deflate-9"));
        List<String> points = points(out);
        assertThat(points).hasSize(6 * 2 * 2);
        requireNoDevices(points, 6 * 2);
        for (String codec : List.of("GpuGzipCodec", "Hadoop GzipCodec", "GpuDeflateCodec", "Hadoop DeflateCodec")) {
            List<Integer> sizes = points.stream()
                    .filter(line -> line.contains(codec) && line.contains("encode"))
                    .map(line -> Integer.parseInt(line.split(",")[8]))
                    .toList();
            assertThat(sizes.get(1)).as(codec + " at level 1").isGreaterThan(sizes.get(0));
            assertThat(sizes.get(2)).as(codec + " at level 9").isLessThan(sizes.get(0));
        }
    }

    @Test
    void everyRequestSizeIsMeasuredAloneAndUnderLoad() throws Exception {
        Path out = folder.resolve("latency.csv");
        RequestLatency.main(arguments(out, "--background 2 --formats snappy --modes cpu"));
        assertThat(points(out)).hasSize(3 * 3 * 2);
    }

    /** What a short run is told that writes to this file. */
    private static String[] arguments(Path out, String words) {
        return Stream.concat(Stream.of(("--seconds 0.02 " + words).split(" ")), Stream.of("--out", out.toString()))
                .toArray(String[]::new);
    }

    private static List<String> points(Path file) throws Exception {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.startsWith("#") && !line.startsWith("format,"))
                .toList();
    }
}
