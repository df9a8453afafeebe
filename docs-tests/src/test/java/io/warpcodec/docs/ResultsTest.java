package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

/** The tables of {@code benchmarks/results} list every file of figures, and what names such a file leads to one. */
class ResultsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path RESULTS = ROOT.resolve("benchmarks/results");
    private static final Pattern NAME = Pattern.compile("\\b20\\d\\d-\\d\\d-\\d\\d-[a-z][a-z0-9-]*\\.(?:csv|md)");
    /** After the head and the current figures. */
    private static final int ARCHIVE_SECTION = 2;

    /** Files by themselves as links, those that are packed as code. */
    @Test
    void theTablesListEachFileOnce() throws IOException {
        Page tables = Page.read(RESULTS.resolve("README.md"));
        assertThat(tables.links().stream().filter(link -> NAME.matcher(link).matches()))
                .containsExactlyInAnyOrderElementsOf(namesIn(RESULTS));
        String archive = Files.readString(RESULTS.resolve("README.md")).split("\n## ")[ARCHIVE_SECTION];
        List<String> packed = new ArrayList<>();
        // a row's last column names what replaced its files
        archive.lines()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(0, line.lastIndexOf(" | ")))
                .forEach(row -> NAME.matcher(row).results().forEach(name -> packed.add(name.group())));
        assertThat(packed).containsExactlyInAnyOrderElementsOf(packedNames());
    }

    private static List<String> namesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> NAME.matcher(name).matches())
                    .toList();
        }
    }

    private static List<String> packedNames() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> archives = Files.newDirectoryStream(RESULTS.resolve("archive"))) {
            for (Path archive : archives) {
                try (ZipFile zip = new ZipFile(archive.toFile())) {
                    zip.stream().map(ZipEntry::getName).forEach(names::add);
                }
            }
        }
        assertThat(names).hasSizeGreaterThan(80);
        return names;
    }

    @Test
    void figuresThatArePointedAtExist() throws IOException {
        Set<String> known = new HashSet<>(namesIn(RESULTS));
        known.addAll(packedNames());
        List<String> absent = new ArrayList<>();
        List<Path> pages = new ArrayList<>(Page.all(ROOT));
        try (Stream<Path> files = Files.list(RESULTS)) {
            files.filter(file -> file.toString().endsWith(".csv")).forEach(pages::add);
        }
        for (Path page : pages) {
            NAME.matcher(Files.readString(page))
                    .results()
                    .map(MatchResult::group)
                    .filter(name -> !known.contains(name))
                    .forEach(name -> absent.add(ROOT.relativize(page) + ": " + name));
        }
        assertThat(absent).isEmpty();
    }
}
