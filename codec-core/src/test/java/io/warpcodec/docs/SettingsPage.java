package io.warpcodec.docs;

import io.warpcodec.Setting;
import io.warpcodec.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** docs/user/settings.md, made of {@link Setting}. */
final class SettingsPage {
    private SettingsPage() {}

    static List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(
                "# Settings",
                "",
                GeneratedPages.NOTE,
                "",
                "Nothing has to be set. A setting is a word behind a prefix:",
                "",
                "| where | key | example |",
                "|---|---|---|",
                "| Hadoop, Hive, HBase: files | `" + Settings.HADOOP_PREFIX
                        + "WORD` in `core-site.xml`, the job's configuration, or `-D` |" + " `" + Settings.HADOOP_PREFIX
                        + "mode=cpu` |",
                "| Spark: files | `spark.hadoop." + Settings.HADOOP_PREFIX
                        + "WORD` in `spark-defaults.conf` or `--conf` |" + " `spark.hadoop." + Settings.HADOOP_PREFIX
                        + "mode=cpu` |",
                "| Spark: shuffle, spill, cache, broadcast | `" + Settings.SPARK_PREFIX + "WORD`, in the same places |"
                        + " `" + Settings.SPARK_PREFIX + "mode=cpu` |",
                "| the tool `warpcodec` | its options | `--engine cpu` |",
                "",
                "Sizes take `k`, `m` or `g` (powers of 1024), times `us`, `ms` or `s`. A value that cannot be read is an error that names the key. A word that is no setting has no effect:"
                        + " one WARN line names it and the nearest one that is.",
                "",
                "GPUs are started once a process: the first configuration that a process works with decides for `devices`, `memory.max`, `pinned.max`, `batch.size` and"
                        + " `batch.linger`.",
                "",
                "## Six for every day",
                ""));
        lines.addAll(sections(Setting::isEveryday));
        lines.addAll(List.of("## The others", ""));
        lines.addAll(sections(setting -> !setting.isEveryday()));
        lines.addAll(List.of(
                "## In the environment",
                "",
                "`CUDA_DEVICE_MAX_CONNECTIONS=32` must be set before the driver starts. Without it a GPU works on 8"
                        + " waves side by side instead of twelve, which many tasks on one GPU feel; the driver starts"
                        + " half a second later with it. `bin/warpcodec` sets it for the verbs that have many streams, and 4"
                        + " for the others; for Spark it is `spark.executorEnv.CUDA_DEVICE_MAX_CONNECTIONS=32`, for"
                        + " MapReduce it belongs into `mapreduce.map.env` and `mapreduce.reduce.env`. `warpcodec"
                        + " doctor` shows it as `workQueues`.",
                "",
                "`CUDA_VISIBLE_DEVICES` limits which GPUs the driver shows; `devices` chooses among those."));
        return lines;
    }

    private static List<String> sections(Predicate<Setting> chosen) {
        List<String> lines = new ArrayList<>();
        Stream.of(Setting.values()).filter(chosen).forEach(setting -> {
            lines.add("### `" + setting.word() + "`");
            lines.add("");
            lines.add(setting.meaning());
            lines.add("");
            lines.add("| | |");
            lines.add("|---|---|");
            lines.add("| default | " + setting.defaultValue() + " |");
            lines.add("| values | " + setting.allowedValues() + " |");
            if (setting.isOfHosts()) {
                lines.add("| Hadoop | `" + Settings.HADOOP_PREFIX + setting.word() + "` |");
                lines.add("| Spark | `spark.hadoop." + Settings.HADOOP_PREFIX + setting.word() + "`, `"
                        + Settings.SPARK_PREFIX + setting.word() + "` |");
            }
            if (!setting.elsewhere().isEmpty()) {
                lines.add("| also | " + setting.elsewhere() + " |");
            }
            lines.add("");
        });
        return lines;
    }
}
