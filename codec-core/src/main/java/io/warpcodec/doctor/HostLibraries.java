package io.warpcodec.doctor;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.ZstdVersion;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.doctor.ClassPath.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * The libraries that the host brings: whether those that the CPU engine works with load, and for all of them which
 * version comes from which jar, and whether it is known to be vulnerable.
 */
final class HostLibraries {
    private static final String VERSION = "version";

    private HostLibraries() {}

    /**
     * An artifact that a host brings.
     *
     * @param className one of its classes
     */
    private record Library(String artifact, String className, String... groups) {}

    private static final Library LZ4 =
            new Library("lz4-java", "net.jpountz.lz4.LZ4Factory", "at.yawk.lz4", "org.lz4", "net.jpountz.lz4");
    private static final Library SNAPPY = new Library("snappy-java", "org.xerial.snappy.Snappy", "org.xerial.snappy");
    private static final Library ZSTD = new Library("zstd-jni", "com.github.luben.zstd.Zstd", "com.github.luben");

    private static final List<Library> OTHERS = List.of(
            new Library("warpcodec-core", "io.warpcodec.Format", "io.warpcodec"),
            new Library("warpcodec-hadoop", "io.warpcodec.hadoop.GpuGzipCodec", "io.warpcodec"),
            new Library("warpcodec-spark", "io.warpcodec.spark.WarpcodecPlugin", "io.warpcodec"),
            new Library("hadoop-common", "org.apache.hadoop.io.compress.CompressionCodecFactory", "org.apache.hadoop"),
            new Library("spark-core", "org.apache.spark.SparkContext"),
            new Library(
                    "commons-compress",
                    "org.apache.commons.compress.compressors.CompressorStreamFactory",
                    "org.apache.commons"));

    static void examine(NodeReport report) {
        Map<String, Object> natives = new LinkedHashMap<>();
        natives.put("lz4", loaded(report, LZ4, HostLibraries::lz4));
        // a lambda is linked when it runs; a method reference to a class that is absent would fail here
        natives.put("snappy", loaded(report, SNAPPY, () -> Snappy.getNativeLibraryVersion()));
        natives.put("zstd", loaded(report, ZSTD, HostLibraries::zstd));
        natives.put("bzip2", Map.of(VERSION, "Warpcodec's own, plain Java"));
        natives.put("zlib", Map.of(VERSION, "the JDK's"));
        report.fact("natives", natives);
        Map<String, Object> classPath = new LinkedHashMap<>();
        for (Library library : OTHERS) {
            Map<String, Object> found = found(report, library);
            boolean named = !ClassPath.UNKNOWN.equals(found.get(VERSION))
                    || library.artifact().startsWith(ClassPath.OURS);
            if (!found.isEmpty() && named) {
                classPath.put(library.artifact(), found);
            }
        }
        report.fact("classPath", classPath);
        report.cpu(cpuVerdict(report));
    }

    private static Verdict cpuVerdict(NodeReport report) {
        List<String> able = new ArrayList<>();
        List<String> unable = new ArrayList<>();
        for (Format format : Format.values()) {
            try {
                Engines.selector().cpu().requireLibrary(format);
                able.add(format.word());
            } catch (IOException missing) {
                unable.add(format.word());
                report.problem("no " + format.word() + " on the CPU", missing.getMessage());
            }
        }
        return new Verdict(
                unable.isEmpty(),
                "CPU: " + String.join(", ", able) + (unable.isEmpty() ? "" : "; not " + String.join(", ", unable)));
    }

    private static String lz4() {
        LZ4Factory factory = LZ4Factory.fastestInstance();
        return factory == LZ4Factory.nativeInstance() ? "native" : "plain Java: " + factory;
    }

    private static String zstd() {
        // A call into the library: the version alone is a constant of the jar.
        Zstd.maxCompressionLevel();
        return ZstdVersion.VERSION;
    }

    private static Map<String, Object> loaded(NodeReport report, Library library, Callable<String> use) {
        Map<String, Object> finding = new LinkedHashMap<>();
        try {
            finding.put("native", use.call());
            finding.put("loaded", true);
        } catch (Exception | LinkageError failure) {
            finding.put("loaded", false);
            finding.put("reason", failure.toString());
        }
        finding.putAll(found(report, library));
        return finding;
    }

    /**
     * Version and jar of a library, other jars that have it too, and what is wrong with all of them; empty where it
     * is not on the class path.
     */
    private static Map<String, Object> found(NodeReport report, Library library) {
        Map<String, Object> finding = new LinkedHashMap<>();
        try {
            List<Place> places = ClassPath.having(library.className(), library.artifact(), library.groups());
            if (!places.isEmpty()) {
                finding.put(VERSION, places.get(0).version());
                finding.put("jar", places.get(0).path());
            }
            if (places.size() > 1) {
                finding.put(
                        "alsoIn",
                        places.stream()
                                .skip(1)
                                .map(place -> place.path() + " (" + place.version() + ")")
                                .toList());
            }
            reportSeveral(report, library, places);
            places.forEach(place -> reportDefects(report, library.artifact(), place));
        } catch (IOException unreadable) {
            finding.put("reason", unreadable.toString());
        }
        return finding;
    }

    /** Says that a library is there twice. Those in our own jars do not count: they are for hosts that have none. */
    private static void reportSeveral(NodeReport report, Library library, List<Place> found) throws IOException {
        boolean ours = library.artifact().startsWith(ClassPath.OURS);
        List<String> ourJars = ours ? List.of() : ClassPath.having(Format.class.getName());
        List<Place> places =
                found.stream().filter(place -> !ourJars.contains(place.path())).toList();
        boolean differ = places.stream()
                        .map(Place::version)
                        .filter(version -> !version.equals(ClassPath.UNKNOWN))
                        .distinct()
                        .count()
                > 1;
        if (places.size() > 1 && (differ || ours)) {
            String others = places.stream()
                    .skip(1)
                    .map(place -> place.path() + " (" + place.version() + ")")
                    .collect(Collectors.joining(", "));
            report.problem(
                    library.artifact() + " is on the class path more than once: "
                            + places.get(0).path() + " (" + places.get(0).version() + ") wins over " + others,
                    "keep one");
        }
    }

    private static void reportDefects(NodeReport report, String artifact, Place place) {
        LeastVersion.above(artifact, place.version())
                .ifPresent(least -> report.problem(
                        artifact + " " + place.version() + " in " + place.path()
                                + " has known vulnerabilities, which SECURITY.md names",
                        "replace it by " + artifact + " " + least.version() + " or newer"
                                + (least == LeastVersion.LZ4_JAVA ? ", which is at.yawk.lz4:lz4-java" : "")));
    }
}
