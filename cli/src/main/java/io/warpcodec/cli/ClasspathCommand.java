package io.warpcodec.cli;

import io.warpcodec.cli.terminal.ExitCode;
import io.warpcodec.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/**
 * Prints the class path that the launcher starts the tool with: our jars, the libraries they use and a shaded Hadoop
 * client.
 */
@Command(
        name = "classpath",
        description = "Prints one line: our jars and a Hadoop client with its dependencies.",
        mixinStandardHelpOptions = true)
final class ClasspathCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        Terminal.out().println(System.getProperty("java.class.path"));
        return ExitCode.DONE;
    }
}
