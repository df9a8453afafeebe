package io.warpcodec.cli;

import io.warpcodec.cli.file.StandardOutput;
import io.warpcodec.cli.verb.SplitNotice;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * One call of the tool in this process, with the standard streams caught. Calls must not overlap.
 *
 * @param exit exit code
 * @param out bytes on standard output; empty where a sink was given
 * @param err text on standard error
 */
public record ToolRun(int exit, byte[] out, String err) {

    public static ToolRun of(Object... arguments) {
        return fed(new byte[0], arguments);
    }

    public static ToolRun fed(byte[] standardInput, Object... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ToolRun run = into(out, standardInput, arguments);
        return new ToolRun(run.exit, out.toByteArray(), run.err);
    }

    /** Runs with the standard streams of this process; such calls may overlap. */
    public static int beside(Object... arguments) {
        return Main.run(List.of(arguments).stream().map(Object::toString).toArray(String[]::new));
    }

    /** Runs with standard output going to a sink. */
    public static ToolRun into(OutputStream out, byte[] standardInput, Object... arguments) {
        InputStream inBefore = System.in;
        PrintStream outBefore = System.out;
        PrintStream errBefore = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try {
            System.setIn(new ByteArrayInputStream(standardInput));
            System.setOut(StandardOutput.into(out));
            System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
            String[] words = List.of(arguments).stream().map(Object::toString).toArray(String[]::new);
            int exit = Main.run(words);
            System.out.flush();
            return new ToolRun(exit, new byte[0], err.toString(StandardCharsets.UTF_8));
        } finally {
            System.setIn(inBefore);
            System.setOut(outBefore);
            System.setErr(errBefore);
        }
    }

    public String text() {
        return new String(out, StandardCharsets.UTF_8);
    }

    /** Lines of the standard error, but for what is said of splits and Hive, which is no complaint. */
    public List<String> complaints() {
        return err.lines().filter(line -> !line.endsWith(SplitNotice.TEXT)).toList();
    }
}
