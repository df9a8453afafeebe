package io.warpcodec.spark;

import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.Problem;
import io.warpcodec.doctor.Verdict;
import io.warpcodec.hadoop.SuffixResolution;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The answers of executors as text: a verdict, a row for each node, and each problem once. */
final class ClusterTable {
    private static final List<String> HEADINGS =
            List.of("node", "executors", "version", "verdict", "GPUs", "CUDA", "problems");
    private static final String GPU = "gpu";

    private final Collection<ExecutorAnswer> answers;
    private final int known;

    /** @param known how many executors there should be */
    ClusterTable(Collection<ExecutorAnswer> answers, int known) {
        this.answers = List.copyOf(answers);
        this.known = known;
    }

    /** Whether each executor has answered, and that the engine works there. */
    boolean holds(String engine) {
        return !answers.isEmpty()
                && answers.size() == known
                && answers.stream()
                        .allMatch(answer -> answer.report().verdict(engine).holds());
    }

    /** One line about all executors: {@code CPU only: no driver (libcuda.so.1), on 2 of 2 executors}. */
    String verdict(String engine) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        answers.stream()
                .map(answer -> answer.report().verdict(engine))
                .sorted((one, other) -> Boolean.compare(other.holds(), one.holds()))
                .map(Verdict::line)
                .forEach(line -> counts.merge(line, 1, Integer::sum));
        List<String> parts = new ArrayList<>();
        counts.forEach((line, count) -> parts.add(line + ", on " + count + " of " + known + " executors"));
        if (answers.size() < known) {
            parts.add("no answer from " + (known - answers.size()) + " of " + known + " executors");
        }
        return parts.isEmpty() ? "no executor" : String.join("; ", parts);
    }

    /**
     * Everything.
     *
     * @param driver of the driver's process, with what is found in the settings of the application
     */
    String text(ExecutorAnswer driver) {
        List<ExecutorAnswer> all = new ArrayList<>(answers);
        all.removeIf(answer -> answer.executor().equals(driver.executor()));
        all.add(driver);
        List<Problem> problems = all.stream()
                .flatMap(answer -> answer.report().problems().stream())
                .distinct()
                .toList();
        StringBuilder text = new StringBuilder(verdict(GPU)).append('\n');
        for (int number = 0; number < problems.size(); number++) {
            text.append(number + 1).append(". ").append(problems.get(number)).append('\n');
        }
        text.append("files: ")
                .append(driver.report().facts().get(SuffixResolution.FILES))
                .append('\n');
        text.append('\n').append(answers.size()).append(" of ").append(known).append(" executors answered\n\n");
        appendRows(rows(all, problems), text);
        text.append('\n');
        for (String fact : List.of("spark.io.compression.codec", "spark.plugins")) {
            text.append(fact)
                    .append(": ")
                    .append(driver.report().facts().get(fact))
                    .append('\n');
        }
        appendSuffixes(driver, text);
        return text.toString();
    }

    /** A row for each node, or for several executors of one if they found different things. */
    private static List<List<String>> rows(List<ExecutorAnswer> all, List<Problem> problems) {
        Map<List<String>, List<String>> executors = new LinkedHashMap<>();
        for (ExecutorAnswer answer : all) {
            String numbers = answer.report().problems().stream()
                    .map(problem -> Integer.toString(1 + problems.indexOf(problem)))
                    .collect(Collectors.joining(", "));
            Map<String, Object> facts = answer.report().facts();
            List<String> row = List.of(
                    answer.host(),
                    String.valueOf(facts.get(NodeExamination.VERSION)),
                    answer.report().gpu().line(),
                    Integer.toString(((List<?>) facts.get("devices")).size()),
                    ((Map<?, ?>) facts.get("driver")).get("cudaVersion").toString(),
                    numbers.isEmpty() ? "none" : numbers);
            executors.computeIfAbsent(row, absent -> new ArrayList<>()).add(answer.executor());
        }
        List<List<String>> rows = new ArrayList<>();
        executors.forEach((row, names) -> {
            List<String> cells = new ArrayList<>(row);
            cells.add(1, String.join(", ", names));
            rows.add(cells);
        });
        return rows;
    }

    private static void appendRows(List<List<String>> rows, StringBuilder text) {
        List<List<String>> lines = new ArrayList<>(List.of(HEADINGS));
        lines.addAll(rows);
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder();
            for (int column = 0; column < line.size(); column++) {
                int at = column;
                int width = lines.stream()
                        .mapToInt(each -> each.get(at).length())
                        .max()
                        .orElse(0);
                cells.append(line.get(column))
                        .append(" ".repeat(2 + width - line.get(column).length()));
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
    }

    private static void appendSuffixes(ExecutorAnswer driver, StringBuilder text) {
        Map<?, ?> suffixes = (Map<?, ?>) driver.report().facts().get("suffixes");
        if (suffixes.get("asConfigured") instanceof Map<?, ?> configured) {
            configured.forEach((suffix, codec) -> text.append("files ")
                    .append(suffix)
                    .append(": ")
                    .append(((Map<?, ?>) codec).get("class"))
                    .append('\n'));
        }
    }
}
