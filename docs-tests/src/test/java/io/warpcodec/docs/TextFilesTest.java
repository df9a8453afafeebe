package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Text files of the tree are as {@code .editorconfig} says for all of them. */
class TextFilesTest {

    /** Letters, code and links without a blank between them. */
    private static final Pattern WORD = Pattern.compile("(?:`[^`]*`|\\[[^]]*]\\([^)]*\\)|[^\\s`])+");

    private static final int MOST_CHARACTERS = 120;
    private static final Set<String> SUFFIXES =
            Set.of("cu", "cuh", "h", "java", "md", "csv", "xml", "yaml", "sh", "properties", "conf", "svg");

    @Test
    void textFilesAreAsTheEditorsAreTold() throws IOException {
        List<String> defects = new ArrayList<>();
        List<Path> files = Tree.files(SUFFIXES);
        for (Path file : files) {
            String defect = defect(Files.readString(file));
            if (!defect.isEmpty()) {
                defects.add(Tree.ROOT.relativize(file) + ": " + defect);
            }
        }
        assertThat(files).hasSizeGreaterThan(500);
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

    /**
     * Shown as they are: strings, text that is indented by three blanks or more in a comment, and preformatted text.
     */
    @Test
    void linesOfSourcesHaveAtMost120Characters() throws IOException {
        List<String> defects = new ArrayList<>();
        for (Path file : Tree.files(Set.of("java", "cu", "cuh", "h"))) {
            List<Integer> lines = linesThatAreTooLong(Files.readString(file));
            if (!lines.isEmpty()) {
                defects.add(Tree.ROOT.relativize(file) + ": " + lines);
            }
        }
        assertThat(defects).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "// x", " * x", "/** x", "//  x"})
    void aLineThatIsTooLongIsFound(String begin) {
        assertThat(linesThatAreTooLong("\n" + begin + "y".repeat(MOST_CHARACTERS - begin.length()) + "\n"))
                .isEmpty();
        assertThat(linesThatAreTooLong("\n" + begin + "y".repeat(MOST_CHARACTERS)))
                .containsExactly(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"//    x", " * <pre>\n * x", "a = \"\"\"\n x", "throw \"x"})
    void whatIsShownAsItIsMayBeLonger(String begin) {
        assertThat(linesThatAreTooLong(begin + "y".repeat(MOST_CHARACTERS) + "\""))
                .isEmpty();
    }

    /** Tables, code, comments and headings are shown as they are; a word of code or a link is not broken. */
    @Test
    void linesOfPagesHaveAtMost120Characters() throws IOException {
        List<String> defects = new ArrayList<>();
        for (Path file : Tree.files(Set.of("md"))) {
            List<Integer> lines = longLinesOfPage(Files.readString(file));
            if (!lines.isEmpty()) {
                defects.add(Tree.ROOT.relativize(file) + ": " + lines);
            }
        }
        assertThat(defects).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "word word, true",
        "- word word, true",
        "  12. word word, true",
        "| word word, false",
        "# word word, false",
        "<!-- word word, false",
        "- `word word` , false",
        "[word word](x) , false",
        "`word` word, true"
    })
    void aLongLineOfAPageIsFound(String begin, boolean found) {
        String line = begin.replace("word", "word".repeat(30));
        assertThat(longLinesOfPage("x\n" + line + "\n")).hasSize(found ? 1 : 0);
        assertThat(longLinesOfPage("```text\n" + line + "\n```\n")).isEmpty();
    }

    private static List<Integer> longLinesOfPage(String page) {
        List<Integer> found = new ArrayList<>();
        String[] lines = page.split("\n", -1);
        boolean code = false;
        for (int line = 0; line < lines.length; line++) {
            String text = lines[line];
            boolean fence = text.strip().startsWith("```");
            code ^= fence;
            boolean shown = code || fence || text.strip().matches("(?s)[|#<].*");
            if (text.length() > MOST_CHARACTERS && !shown && wordsOf(text) > 1) {
                found.add(line + 1);
            }
        }
        return found;
    }

    private static int wordsOf(String line) {
        Matcher word = WORD.matcher(line.replaceFirst("^\\s*([-*+>]|\\d+\\.)\\s", ""));
        int words = 0;
        while (word.find()) {
            words++;
        }
        return words;
    }

    private static List<Integer> linesThatAreTooLong(String source) {
        List<Integer> found = new ArrayList<>();
        String[] lines = source.split("\n", -1);
        boolean preformatted = false;
        boolean textBlock = false;
        for (int line = 0; line < lines.length; line++) {
            String text = lines[line];
            preformatted = (preformatted || text.contains("<pre>")) && !text.contains("</pre>");
            textBlock ^= text.split("\"\"\"", -1).length % 2 == 0;
            boolean shown = preformatted
                    || textBlock
                    || text.contains("\"")
                    || text.contains("</pre>")
                    || text.matches("\\s*(\\*|//)\\s{3,}.*");
            if (text.length() > MOST_CHARACTERS && !shown) {
                found.add(line + 1);
            }
        }
        return found;
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
