package io.warpcodec.cli;

import io.warpcodec.cli.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page of the tool or of one of its verbs, made from the same description as {@code --help}. The macros
 * are those of man(7).
 */
final class ManPage {

    private static final Map<Integer, String> EXIT_CODES = new TreeMap<>(Map.of(
            ExitCode.DONE, "All of it was done.",
            ExitCode.FAILED, "Something was refused, or could not be read or written.",
            ExitCode.CORRUPT,
                    "An input is damaged or cut short; or a file has the output's name already, and the message says which call finishes the work.",
            ExitCode.NO_READER, "The reader of standard output has left: what a shell says of SIGPIPE."));

    private static final Map<String, String> ENVIRONMENT = new TreeMap<>(Map.of(
            "WARPCODEC_CLASSPATH", "More jars, for example hadoop-aws and what it needs for s3a://.",
            "WARPCODEC_JAVA_OPTIONS", "Options of the JVM.",
            "WARPCODEC_CLASS_DATA", "no: neither make nor use an archive of the tool's classes.",
            "HADOOP_CONF_DIR", "The folder with the site's Hadoop settings.",
            "JAVA_HOME", "The Java that runs the tool."));

    /** A width at which no line is folded: that is the formatter's. */
    private static final int UNFOLDED = 10_000;

    private final CommandSpec verb;
    private final StringBuilder text = new StringBuilder();

    private ManPage(CommandSpec verb) {
        this.verb = verb;
    }

    /** Writes the pages into a folder: {@code warpcodec.1} and {@code warpcodec-VERB.1}. The build calls it. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        for (Map.Entry<String, String> page : all(Main.commandLine()).entrySet()) {
            Files.writeString(folder.resolve(page.getKey()), page.getValue());
        }
    }

    /** All pages by the name of their file. */
    static Map<String, String> all(CommandLine tool) {
        Map<String, String> pages = new TreeMap<>();
        pages.put(fileName(tool), new ManPage(tool.getCommandSpec()).write());
        for (CommandLine verb : tool.getSubcommands().values()) {
            if (!verb.getCommandSpec().usageMessage().hidden()) {
                pages.put(fileName(verb), new ManPage(verb.getCommandSpec()).write());
            }
        }
        return pages;
    }

    private static String fileName(CommandLine verb) {
        return pageName(verb.getCommandSpec()) + ".1";
    }

    private static String pageName(CommandSpec verb) {
        return verb.qualifiedName("-");
    }

    private String write() {
        String[] description = verb.usageMessage().description();
        text.append(".TH ").append(pageName(verb).toUpperCase(Locale.ROOT)).append(" 1 \"\" \"");
        text.append(String.join(" ", verb.root().version())).append("\" \"Warpcodec\"\n");
        section("NAME");
        line(pageName(verb) + " \\- " + plain(description.length == 0 ? "" : description[0]));
        section("SYNOPSIS");
        verb.usageMessage().width(UNFOLDED);
        Help help = verb.commandLine().getHelp();
        line(plain(
                help.fullSynopsis().replace(help.synopsisHeading(), "").strip().replaceAll("\\s+", " ")));
        section("DESCRIPTION");
        paragraphs(description);
        options();
        verbs();
        section("EXIT STATUS");
        EXIT_CODES.forEach((code, meaning) -> item("\\fB" + code + "\\fR", meaning));
        section("ENVIRONMENT");
        ENVIRONMENT.forEach((name, meaning) -> item("\\fB" + name + "\\fR", meaning));
        seeAlso();
        return text.toString();
    }

    private void options() {
        if (!verb.positionalParameters().isEmpty()) {
            section("ARGUMENTS");
        }
        for (PositionalParamSpec each : verb.positionalParameters()) {
            item("\\fI" + plain(each.paramLabel()) + "\\fR", String.join(" ", each.description()));
        }
        section("OPTIONS");
        for (OptionSpec option : verb.options()) {
            if (!option.hidden()) {
                item(names(option), String.join(" ", option.description()));
            }
        }
    }

    private static String names(OptionSpec option) {
        List<String> names = new ArrayList<>();
        for (String name : option.names()) {
            names.add("\\fB" + plain(name) + "\\fR");
        }
        String value = option.arity().max() > 0 ? " \\fI" + plain(option.paramLabel()) + "\\fR" : "";
        return String.join(", ", names) + value;
    }

    private void verbs() {
        if (verb.subcommands().isEmpty()) {
            return;
        }
        section("VERBS");
        verb.subcommands().forEach((name, each) -> {
            String[] description = each.getCommandSpec().usageMessage().description();
            item("\\fB" + plain(name) + "\\fR", description.length == 0 ? "" : description[0]);
        });
        paragraphs(verb.usageMessage().footer());
    }

    private void seeAlso() {
        section("SEE ALSO");
        List<String> others = new ArrayList<>();
        CommandSpec root = verb.root();
        if (root != verb) {
            others.add("\\fB" + plain(pageName(root)) + "\\fR(1)");
        }
        for (CommandLine each : root.subcommands().values()) {
            if (each.getCommandSpec() != verb
                    && !each.getCommandSpec().usageMessage().hidden()) {
                others.add("\\fB" + plain(pageName(each.getCommandSpec())) + "\\fR(1)");
            }
        }
        line(String.join(", ", others));
    }

    private void section(String name) {
        text.append(".SH ").append(name).append('\n');
    }

    private void paragraphs(String[] lines) {
        for (String each : lines) {
            text.append(".PP\n");
            line(plain(each));
        }
    }

    private void item(String term, String description) {
        text.append(".TP\n");
        line(term);
        line(plain(description));
    }

    /** A line of text, which must not begin as a request does. */
    private void line(String words) {
        text.append(words.startsWith(".") || words.startsWith("'") ? "\\&" : "")
                .append(words)
                .append('\n');
    }

    /** Words as they are: variables replaced, no markup, and hyphens that can be copied into a shell. */
    private static String plain(String words) {
        String shown = Ansi.OFF.string(words).replace("$$", "$");
        return shown.replace("\\", "\\e").replace("-", "\\-").replace("%n", " ").replace("%%", "%");
    }
}
