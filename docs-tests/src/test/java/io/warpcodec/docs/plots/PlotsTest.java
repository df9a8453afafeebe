package io.warpcodec.docs.plots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void plotsInTheTreeAreThoseThatTheirFiguresGive() throws IOException {
        Path folder = ROOT.resolve("docs/plots");
        Map<String, String> drawn = Plots.drawAll(ROOT.resolve("benchmarks/results"));
        for (Map.Entry<String, String> plot : drawn.entrySet()) {
            assertThat(Files.readString(folder.resolve(plot.getKey())))
                    .as("%s; docs/plots/make draws it again", plot.getKey())
                    .isEqualTo(plot.getValue());
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<String> plots = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".svg"))
                    .toList();
            assertThat(plots).containsExactlyInAnyOrderElementsOf(drawn.keySet());
        }
    }

    @Test
    void figuresOfOneRowOnlyAreTaken(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("r.csv"), "# commit: abc\nwhat,threads,s\na,1,2.5\n# a comment\na,4,1.5\n");
        Results results = Results.read(folder, "r.csv");
        assertThat(results.number("s", Map.of("what", "a", "threads", "4"))).isEqualTo(1.5);
        assertThatThrownBy(() -> results.number("s", Map.of("what", "a"))).hasMessageContaining("2 rows");
        assertThatThrownBy(() -> results.number("s", Map.of("what", "b"))).hasMessageContaining("0 rows");
        assertThatThrownBy(() -> results.says("# commit: def")).hasMessageContaining("does not say");
    }
}
