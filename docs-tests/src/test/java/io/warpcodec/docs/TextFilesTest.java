package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Text files of the tree are as {@code .editorconfig} says for all of them. */
class TextFilesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> SUFFIXES =
            Set.of("cu", "cuh", "h", "java", "md", "csv", "xml", "yaml", "sh", "properties", "conf", "svg");

    @Test
    void textFilesAreAsTheEditorsAreTold() throws IOException {
        List<String> defects = new ArrayList<>();
        int[] count = {0};
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.equals(ROOT) || isOurs(folder.getFileName().toString())
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if (attributes.isRegularFile() && SUFFIXES.contains(name.substring(name.lastIndexOf('.') + 1))) {
                    count[0]++;
                    String defect = defect(Files.readString(file));
                    if (!defect.isEmpty()) {
                        defects.add(ROOT.relativize(file) + ": " + defect);
                    }
                }
                return FileVisitResult.CONTINUE;
            }
        });
        assertThat(count[0]).isGreaterThan(500);
        assertThat(defects).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a\nb\n' | ''",
                "'' | ''",
                "'a\nb' | no line end at the end",
                "'a\r\nb\n' | a carriage return in line 1",
                "'a\n\tb\n' | a tab in line 2",
                "'a\nb \n' | a space at the end of line 2"
            })
    void everyDefectIsNamed(String text, String defect) {
        assertThat(defect(text)).isEqualTo(defect);
    }

    /** Not what builds and editors make, nor frozen files. */
    private static boolean isOurs(String folder) {
        return folder.equals(".github")
                || !folder.startsWith(".") && !Set.of("golden", "target").contains(folder);
    }

    private static String defect(String text) {
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].contains("\r")) {
                return "a carriage return in line " + (i + 1);
            }
            if (lines[i].contains("\t")) {
                return "a tab in line " + (i + 1);
            }
            if (lines[i].endsWith(" ")) {
                return "a space at the end of line " + (i + 1);
            }
        }
        return text.isEmpty() || text.endsWith("\n") ? "" : "no line end at the end";
    }
}
