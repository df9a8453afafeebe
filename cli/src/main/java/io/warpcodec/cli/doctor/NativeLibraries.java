package io.warpcodec.cli.doctor;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.util.ZstdVersion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/** Loads each library that the CPU engine works with, and says which version, from where, or why not. */
final class NativeLibraries {

    private NativeLibraries() {}

    static Map<String, Object> findings() {
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("lz4", probe("net.jpountz.lz4.LZ4Factory", NativeLibraries::lz4));
        findings.put("snappy", probe("org.xerial.snappy.Snappy", Snappy::getNativeLibraryVersion));
        findings.put("zstd", probe("com.github.luben.zstd.Zstd", NativeLibraries::zstd));
        findings.put("bzip2", probe("io.warpcodec.Format", () -> "Warpcodec's own, plain Java"));
        findings.put("zlib", probe("java.util.zip.Inflater", () -> "the JDK's"));
        return findings;
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

    private static Map<String, Object> probe(String className, Callable<String> version) {
        Map<String, Object> finding = new LinkedHashMap<>();
        try {
            finding.put("version", version.call());
            finding.put("loaded", true);
            List<String> jars = className.startsWith("java.") ? List.of() : Jar.having(className);
            if (!jars.isEmpty()) {
                finding.put("jar", jars.get(0));
            }
            if (jars.size() > 1) {
                finding.put("alsoIn", jars.subList(1, jars.size()));
            }
        } catch (Exception | LinkageError failure) {
            finding.put("loaded", false);
            finding.put("reason", failure.toString());
        }
        return finding;
    }
}
