package io.warpcodec.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The manual pages and the completion script say what the command line says. */
class ManPageTest {

    @TempDir
    Path folder;

    private final CommandLine tool = Main.commandLine();
    private final Map<String, String> pages = ManPage.all(tool);

    @Test
    void everyVerbHasAPageWithAllItsOptions() {
        assertThat(pages)
                .containsKey("warpcodec.1")
                .hasSize(tool.getSubcommands().size() + 1);
        tool.getSubcommands().forEach((name, verb) -> {
            String page = pages.get("warpcodec-" + name + ".1");
            assertThat(page).as(name).isNotNull().doesNotContain("${").contains(".SH EXIT STATUS");
            assertThat(pages.get("warpcodec.1")).contains("\\fB" + name + "\\fR");
            for (OptionSpec option : verb.getCommandSpec().options()) {
                String shown = "\\fB" + option.longestName().replace("-", "\\-") + "\\fR";
                assertThat(page.contains(shown))
                        .as(name + " " + option.longestName())
                        .isEqualTo(!option.hidden());
            }
        });
    }

    @Test
    void theFormatterHasNothingToSayOfThem() throws Exception {
        Assumptions.assumeTrue(isInstalled("groff"), "groff is not installed");
        Path all = folder.resolve("pages");
        ManPage.main(new String[] {all.toString()});
        for (String name : pages.keySet()) {
            Path out = folder.resolve("out");
            Process groff = new ProcessBuilder(
                            "groff", "-man", "-Tascii", "-ww", all.resolve(name).toString())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            assertThat(groff.waitFor(300, SECONDS)).isTrue();
            assertThat(groff.exitValue()).isZero();
            assertThat(Files.readString(out, UTF_8)).isNotEmpty().doesNotContain("warning");
        }
    }

    @Test
    void bashCompletesVerbsAndOptions() throws Exception {
        Assumptions.assumeTrue(isInstalled("bash"), "bash is not installed");
        Path script = Files.write(
                folder.resolve("script"), ToolRun.of("completion", "bash").out());
        assertThat(completions(script, "warpcodec", "decom")).isEqualTo("decompress\n");
        assertThat(completions(script, "warpcodec", "compress", "--rec")).isEqualTo("--recursive\n");
        assertThat(completions(script, "warpcodec", "compress", "--format", "z"))
                .contains("zstd");
        assertThat(ToolRun.of("completion", "zsh").text()).contains("bashcompinit");
        assertThat(ToolRun.of("completion", "fish").exit()).isEqualTo(ExitCode.FAILED);
    }

    /** A zsh on a terminal of its own: the words are typed, and what is on the line behind the key Tab is read off. */
    @Test
    void zshCompletesVerbsOptionsAndValues() throws Exception {
        Assumptions.assumeTrue(isInstalled("zsh"), "zsh is not installed");
        Files.write(
                folder.resolve("completion"), ToolRun.of("completion", "zsh").out());
        Files.writeString(folder.resolve("typed-at"), """
                autoload -Uz compinit
                compinit -u -D
                source completion
                tab() { zle complete-word; print -r -- "LINE=$BUFFER=END"; zle kill-buffer }
                zle -N tab
                bindkey '^I' tab
                print IS READY
                """);
        Path typist = Files.writeString(folder.resolve("typist"), """
                cd ${0:h}
                zmodload zsh/zpty
                zpty shell 'TERM=dumb zsh -f -i'
                zpty -w shell 'source ./typed-at'
                zpty -r -m shell seen '*IS READY*'
                for words; do
                  zpty -w -n shell "$words"$'\t'
                  zpty -r -m shell seen '*LINE=*=END*'
                  print -r -- "${${seen#*LINE=}%%=END*}"
                done
                zpty -d shell
                """);
        ToolProcess run = ToolProcess.run(
                List.of(
                        "zsh",
                        "-f",
                        typist.toString(),
                        "warpcodec decom",
                        "warpcodec compress --rec",
                        "warpcodec compress --format zs"),
                Map.of());
        assertThat(run.text().lines())
                .containsExactly(
                        "warpcodec decompress ",
                        "warpcodec compress --recursive ",
                        "warpcodec compress --format zstd ");
    }

    private String completions(Path script, String... words) throws Exception {
        String call = "source '" + script + "'; COMP_WORDS=(" + String.join(" ", words) + "); COMP_CWORD="
                + (words.length - 1) + "; COMP_TYPE=9; _complete_warpcodec; printf '%s\\n' \"${COMPREPLY[@]}\"";
        ToolProcess run = ToolProcess.run(List.of("bash", "-c", call), Map.of());
        return run.text();
    }

    private static boolean isInstalled(String tool) {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(bin -> Files.isExecutable(Path.of(bin, tool)));
    }
}
