package io.warpcodec.doctor;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was found on one node: a verdict, what is wrong with remedies, and facts by name as maps, lists, texts,
 * numbers and truth values. Each part of an examination adds what it has found. Not thread-safe.
 */
public final class NodeReport implements Serializable {
    private static final long serialVersionUID = 1;

    private final ArrayList<Problem> problems = new ArrayList<>();
    private final LinkedHashMap<String, Object> facts = new LinkedHashMap<>();
    private Verdict gpu;
    private Verdict cpu;

    /** Sets what GPUs will do here. */
    void gpu(Verdict verdict) {
        gpu = verdict;
    }

    /** Sets what the CPU engine can do here. */
    void cpu(Verdict verdict) {
        cpu = verdict;
    }

    /** Adds a fact; names keep the order in which they come. */
    public void fact(String name, Object value) {
        facts.put(name, value);
    }

    /** Adds something that is wrong, unless it was said already. */
    public void problem(String what, String remedy) {
        Problem problem = new Problem(what, remedy);
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /** Whether and how GPUs will work. */
    public Verdict gpu() {
        return gpu;
    }

    /** Whether the CPU engine can do every format. */
    public Verdict cpu() {
        return cpu;
    }

    /** One of both, by the engine's name. */
    public Verdict verdict(String engine) {
        return engine.equals("gpu") ? gpu : cpu;
    }

    public List<Problem> problems() {
        return List.copyOf(problems);
    }

    public Map<String, Object> facts() {
        return facts;
    }

    /** All of it, for JSON: {@code verdict}, {@code gpu}, {@code problems}, then the facts. */
    public Map<String, Object> asMap() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("verdict", gpu.line());
        all.put("gpu", gpu.holds());
        all.put("problems", problems.stream().map(NodeReport::asMap).toList());
        all.putAll(facts);
        return all;
    }

    private static Map<String, String> asMap(Problem problem) {
        Map<String, String> both = new LinkedHashMap<>();
        both.put("what", problem.what());
        both.put("remedy", problem.remedy());
        return both;
    }

    /**
     * All of it, for people: the verdict in the first line, a line for each problem, and the facts as an indented
     * outline.
     */
    public String asText() {
        StringBuilder text = new StringBuilder(gpu.line()).append('\n');
        problems.forEach(problem -> text.append("- ").append(problem).append('\n'));
        text.append('\n');
        outline(facts, 0, text);
        return text.toString();
    }

    private static void outline(Map<?, ?> findings, int depth, StringBuilder text) {
        findings.forEach((name, value) -> {
            text.append("  ".repeat(depth)).append(name).append(':');
            if (value instanceof Map<?, ?> none && none.isEmpty()) {
                text.append(" none\n");
            } else if (value instanceof Map<?, ?> nested) {
                text.append('\n');
                outline(nested, depth + 1, text);
            } else if (value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Map<?, ?>) {
                text.append('\n');
                list.forEach(each -> {
                    outline((Map<?, ?>) each, depth + 1, text);
                    text.append('\n');
                });
            } else if (value instanceof List<?> list) {
                text.append(' ').append(list.isEmpty() ? "none" : list).append('\n');
            } else {
                text.append(' ').append(value).append('\n');
            }
        });
    }
}
