package io.warpcodec.cli;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Starts the command line tool. */
public final class Main {

    private Main() {}

    /** Runs one verb and exits with its code: 0 done, 1 usage or input/output, 2 corrupt data. */
    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** Runs one verb in this process and returns the exit code. */
    static int run(String... arguments) {
        CommandLine commandLine = new CommandLine(new WarpcodecCommand());
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setParameterExceptionHandler((wrong, given) -> complainOfUsage(wrong));
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> {
            Terminal.complain(Complaint.of(failure));
            return Complaint.exitCode(failure);
        });
        return commandLine.execute(arguments);
    }

    private static int complainOfUsage(ParameterException wrong) {
        Terminal.complain(wrong.getMessage());
        Terminal.complain("try '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.FAILED;
    }
}
