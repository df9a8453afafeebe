package io.warpcodec.docs;

import io.warpcodec.Format;
import io.warpcodec.metrics.CounterFamily;
import io.warpcodec.metrics.FallbackReason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** docs/user/metrics-and-fallbacks.md, made of {@link CounterFamily} and {@link FallbackReason}. */
final class MetricsPage {
    private MetricsPage() {}

    static List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(
                "# Metrics and fallbacks",
                "",
                GeneratedPages.NOTE,
                "",
                "Warpcodec counts what it does, in each JVM from its start. Counters only grow. A counter that is absent has never been counted.",
                "",
                "| where | how |",
                "|---|---|",
                "| Spark | `spark.plugins=io.warpcodec.spark.WarpcodecPlugin` publishes `plugin.io.warpcodec.spark.WarpcodecPlugin.*` through Spark's metrics system, on the"
                        + " driver and on each executor: the counters below, and `fallbacks`, the sum over all reasons."
                        + " On the driver `executors.*` are the sums over all executors"
                        + " ([where to see them](install-spark.md#is-it-working)) |",
                "| any JVM | JMX: the bean `io.warpcodec:type=Metrics` has every counter below as an attribute of the same name. It appears with the first stream that begins while"
                        + " the JVM uses JMX: an agent such as Prometheus's JMX exporter, `jconsole`, HBase |",
                "| MapReduce | not as job counters: Hadoop does not show a codec the task that it works for. JMX works in task JVMs too |",
                "| Java | `io.warpcodec.metrics.Metrics.snapshot()` |",
                "",
                "## Counters",
                "",
                "`DIRECTION` is `decode` or `encode`; `ENGINE` is `cpu` or `gpu`; `FORMAT` is one of "
                        + Stream.of(Format.values())
                                .map(format -> "`" + format.word() + "`")
                                .collect(Collectors.joining(", "))
                        + "; `REASON` is one of the words below.",
                "",
                "| counter | unit | what |",
                "|---|---|---|"));
        for (CounterFamily family : CounterFamily.values()) {
            lines.add("| `" + family.pattern() + "` | " + family.unit() + " | " + family.meaning() + " |");
        }
        lines.addAll(List.of(
                "",
                "Is a GPU at work? Compare `decode.gzip.gpu.bytesOut` with `decode.gzip.cpu.bytesOut`. If the first is 0, the largest of the `fallback.decode.gzip.*` says why.",
                "",
                "## Fallbacks",
                "",
                "A fallback is work that was not done where it was preferred. The result is right in every case, because the CPU does the work; only time is lost. Most reasons are a choice"
                        + " and need nothing."));
        for (FallbackReason.Kind kind : FallbackReason.Kind.values()) {
            lines.addAll(
                    List.of("", "### " + kind.title(), "", "| reason | what happened | what to do |", "|---|---|---|"));
            Stream.of(FallbackReason.values())
                    .filter(reason -> reason.kind() == kind)
                    .forEach(reason -> lines.add(
                            "| `" + reason.word() + "` | " + reason.explanation() + " | " + reason.remedy() + " |"));
        }
        return lines;
    }
}
