package io.warpcodec.cli.doctor;

import io.warpcodec.Format;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Asks Hadoop's CompressionCodecFactory which class it takes for each suffix. Needs a Hadoop client on the class path. */
final class SuffixResolution {

    private static final String SETTING = "io.compression.codecs";

    /** Our classes as {@code io.compression.codecs} lists them. */
    static final String OUR_CODECS = "io.warpcodec.hadoop.GpuGzipCodec,io.warpcodec.hadoop.GpuDeflateCodec,"
            + "io.warpcodec.hadoop.GpuBZip2Codec,io.warpcodec.hadoop.GpuLz4Codec,"
            + "io.warpcodec.hadoop.GpuSnappyCodec,io.warpcodec.hadoop.GpuZstdCodec";

    private SuffixResolution() {}

    /** Suffix to findings: once as Hadoop is configured here, once with our classes listed last in {@code io.compression.codecs}. */
    static Map<String, Object> findings() throws IOException {
        Configuration asConfigured = new Configuration();
        Configuration listed = new Configuration();
        String before = listed.getTrimmed(SETTING, "");
        listed.set(SETTING, before.isEmpty() ? OUR_CODECS : before + "," + OUR_CODECS);
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put(SETTING, before.isEmpty() ? "not set" : before);
        findings.put("asConfigured", resolve(asConfigured));
        findings.put("withOursListedLast", resolve(listed));
        return findings;
    }

    private static Map<String, Object> resolve(Configuration conf) throws IOException {
        CompressionCodecFactory factory = new CompressionCodecFactory(conf);
        Map<String, Object> suffixes = new LinkedHashMap<>();
        for (Format format : Format.values()) {
            CompressionCodec codec = factory.getCodec(new Path("file" + format.suffix()));
            Map<String, Object> finding = new LinkedHashMap<>();
            if (codec == null) {
                finding.put("class", null);
            } else {
                String name = codec.getClass().getName();
                List<String> jars = Jar.having(name);
                finding.put("class", name);
                finding.put("ours", name.startsWith("io.warpcodec."));
                finding.put("jar", jars.isEmpty() ? null : jars.get(0));
                if (jars.size() > 1) {
                    finding.put("alsoIn", jars.subList(1, jars.size()));
                }
            }
            suffixes.put(format.suffix(), finding);
        }
        return suffixes;
    }
}
