package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** A call knows all verbs where it needs them, and reads no description but its own verb's where it does not. */
class VerbsTest {

    private static Set<String> verbsFor(String... words) {
        return Main.commandLineFor(words).getSubcommands().keySet();
    }

    @Test
    void eachVerbHasTheNameOfItsDescription() {
        Map<String, CommandLine> verbs = Main.commandLine().getSubcommands();
        assertThat(verbs.keySet()).containsExactlyElementsOf(Verbs.NAMES);
        for (String name : Verbs.NAMES) {
            assertThat(new CommandLine(Verbs.named(name)).getCommandName()).isEqualTo(name);
        }
        assertThatThrownBy(() -> Verbs.named("comress")).hasMessageContaining("comress");
    }

    @Test
    void aVerbIsAlone() {
        for (String name : Verbs.NAMES) {
            assertThat(verbsFor(name, "decompress", "--help")).containsExactly(name);
        }
    }

    @Test
    void theVersionNeedsNoVerb() {
        assertThat(verbsFor("--version")).isEmpty();
        assertThat(verbsFor("-V")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "-h", "comress", "--version --help", "--version compress"})
    void everythingElseKnowsAllVerbs(String words) {
        assertThat(verbsFor(List.of(words.split(" ")).toArray(String[]::new))).containsExactlyElementsOf(Verbs.NAMES);
        assertThat(verbsFor()).containsExactlyElementsOf(Verbs.NAMES);
    }
}
