package io.warpcodec.cli;

import io.warpcodec.cli.doctor.Findings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "doctor",
        description =
                "Says what works here: driver, devices, kernels, libraries, and which class each suffix resolves to.",
        mixinStandardHelpOptions = true)
final class DoctorCommand implements Callable<Integer> {

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        Map<String, Object> findings = Findings.collect();
        if (json) {
            Terminal.out().println(Json.of(findings));
        } else {
            StringBuilder text = new StringBuilder();
            print(findings, 0, text);
            Terminal.out().print(text);
        }
        Terminal.out().flush();
        return ExitCode.DONE;
    }

    /** Nested findings as an indented outline. */
    private static void print(Map<?, ?> findings, int depth, StringBuilder text) {
        findings.forEach((name, value) -> {
            text.append("  ".repeat(depth)).append(name).append(':');
            if (value instanceof Map<?, ?> nested) {
                text.append('\n');
                print(nested, depth + 1, text);
            } else if (value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Map<?, ?>) {
                text.append('\n');
                list.forEach(each -> {
                    print((Map<?, ?>) each, depth + 1, text);
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
