package io.warpcodec.benchmarks.cluster;

import io.warpcodec.Settings;
import io.warpcodec.benchmarks.job.TextCodecs;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.io.compress.CompressionCodec;

/** Which codec works, and on what. */
enum Contender {
    /** Hadoop's codec. */
    STOCK(""),
    /** Ours on the CPU. */
    CPU("cpu"),
    /** Ours as it is by default on a machine without a node service. */
    AUTO("auto"),
    /** Ours on GPUs of each process, however short it lives. */
    GPU("gpu"),
    /** Ours as it is by default, on GPUs of each process though there is a node service. */
    OWN("auto"),
    /** Ours as it is by default beside the node service. */
    NODE("auto");

    private final String mode;

    Contender(String mode) {
        this.mode = mode;
    }

    static Contender of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** As options and results name it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isOurs() {
        return this != STOCK;
    }

    Class<? extends CompressionCodec> codec(TextCodecs codecs) {
        return isOurs() ? codecs.ours() : codecs.stock();
    }

    /** Ours: the mode, and the service's folder or none, with these keys' prefix. */
    Map<String, String> settings(String prefix, String nodeFolder) {
        Map<String, String> settings = new TreeMap<>();
        if (isOurs()) {
            settings.put(prefix + "mode", mode);
            settings.put(prefix + "node.folder", this == NODE ? nodeFolder : "none");
            if (this == OWN) {
                settings.put(prefix + "devices", "own");
            }
        }
        return settings;
    }

    /** For a job of Hadoop. */
    Map<String, String> hadoopSettings(TextCodecs codecs, String nodeFolder) {
        Map<String, String> settings = settings(Settings.HADOOP_PREFIX, nodeFolder);
        if (isOurs()) {
            // what the stock codec reads
            settings.put(Settings.HADOOP_PREFIX + "lz4.framing", "hadoop");
        }
        settings.put("io.compression.codecs", codec(codecs).getName());
        return settings;
    }
}
