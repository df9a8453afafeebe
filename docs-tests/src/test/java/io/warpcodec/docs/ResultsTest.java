package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of {@code benchmarks/results} list every file of figures, and what names such a file leads to one. */
class ResultsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path RESULTS = ROOT.resolve("benchmarks/results");
    private static final Pattern NAME =
            Pattern.compile("(archive/)?\\b(20\\d\\d-\\d\\d-\\d\\d-[a-z][a-z0-9-]*\\.(?:csv|md))");

    @Test
    void theTablesListEachFileOnce() throws IOException {
        try (Stream<Path> files = Files.walk(RESULTS)) {
            List<String> figures = files.filter(Files::isRegularFile)
                    .map(file -> RESULTS.relativize(file).toString())
                    .filter(name -> !name.equals("README.md"))
                    .toList();
            List<String> listed = Page.read(RESULTS.resolve("README.md")).links().stream()
                    .filter(link -> NAME.matcher(link).matches())
                    .toList();
            assertThat(listed).containsExactlyInAnyOrderElementsOf(figures);
        }
    }

    @Test
    void figuresThatArePointedAtExist() throws IOException {
        List<String> absent = new ArrayList<>();
        List<Path> pages = new ArrayList<>(Page.all(ROOT));
        try (Stream<Path> files = Files.walk(RESULTS)) {
            files.filter(file -> file.toString().endsWith(".csv")).forEach(pages::add);
        }
        for (Path page : pages) {
            Matcher name = NAME.matcher(Files.readString(page));
            while (name.find()) {
                Path folder = name.group(1) == null ? RESULTS : RESULTS.resolve("archive");
                // a page of the archive names its neighbours without the folder
                boolean isBeside = Files.exists(page.resolveSibling(name.group()));
                if (!isBeside && !Files.exists(folder.resolve(name.group(2)))) {
                    absent.add(ROOT.relativize(page) + ": " + name.group());
                }
            }
        }
        assertThat(absent).isEmpty();
    }
}
