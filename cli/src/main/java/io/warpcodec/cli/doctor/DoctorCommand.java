package io.warpcodec.cli.doctor;

import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.Json;
import io.warpcodec.cli.terminal.Terminal;
import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.doctor.Verdict;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verb {@code doctor}: prints what was found out about this machine, or the verdict alone. */
@Command(
        name = "doctor",
        description =
                "Says what will work here, GPU or CPU, and what to do about what is wrong; then driver, devices, kernels, libraries, and which class each suffix resolves to.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:the report is written; with --check: what was asked for works",
            "1:wrong usage",
            "3:with --check: what was asked for does not work"
        },
        mixinStandardHelpOptions = true)
public final class DoctorCommand implements Callable<Integer> {

    /** What can be asked for with {@code --check}. */
    enum Engine {
        GPU,
        CPU
    }

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = "--check",
            paramLabel = "gpu|cpu",
            description = "Print the verdict only, and end with 0 if a GPU works here (gpu), or if the CPU can do every"
                    + " format (cpu), else with 3.")
    private Engine check;

    @Override
    public Integer call() {
        int code = ExitCode.DONE;
        if (check != null) {
            NodeReport report = NodeExamination.examine();
            Verdict verdict = check == Engine.GPU ? report.gpu() : report.cpu();
            Terminal.out().println(verdict.line());
            code = verdict.holds() ? ExitCode.DONE : ExitCode.NOT_MET;
        } else if (json) {
            Terminal.out().println(Json.of(Findings.collect().asMap()));
        } else {
            Terminal.out().print(Findings.collect().asText());
        }
        Terminal.out().flush();
        return code;
    }
}
