package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Comments name the thing that they are about, in sentences that can be read once. */
class CommentsTest {
    private static final int MOST_WORDS = 40;

    private static final Map<String, Pattern> FORBIDDEN = Map.of(
            "the same of", Pattern.compile("\\b[Tt]he same (?:of|with|as)\\b|\\bThe same[.,;:]"),
            "one that", Pattern.compile("\\b[Oo]nes? (?:that|of which|of whom)\\b"),
            "as far as", Pattern.compile("\\b[Aa]s far as\\b"));

    @Test
    void commentsNameTheirThingsInShortSentences() throws IOException {
        List<String> defects = new ArrayList<>();
        int paragraphs = 0;
        for (Path file : Tree.files(Set.of("java", "cu", "cuh", "h"))) {
            for (Comments.Paragraph paragraph : Comments.of(Files.readString(file))) {
                paragraphs++;
                for (String defect : defects(paragraph)) {
                    defects.add(Tree.ROOT.relativize(file) + ":" + paragraph.line() + ": " + defect);
                }
            }
        }
        assertThat(paragraphs).isGreaterThan(5000);
        assertThat(defects).isEmpty();
    }

    private static List<String> defects(Comments.Paragraph paragraph) {
        Stream<String> phrases = FORBIDDEN.entrySet().stream()
                .filter(phrase -> phrase.getValue().matcher(paragraph.text()).find())
                .map(Map.Entry::getKey);
        Stream<String> sentences = paragraph.sentences().stream()
                .filter(sentence -> words(sentence) > MOST_WORDS)
                .map(sentence -> words(sentence) + " words");
        return Stream.concat(phrases, sentences).toList();
    }

    private static long words(String sentence) {
        return Stream.of(sentence.split("\\s+"))
                .filter(word -> word.matches(".*\\w.*"))
                .count();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'// The same of a stream.' | the same of",
                "'/** A thread, and the same with two. */' | the same of",
                "'/** Reads.\n * The same. */' | the same of",
                "'int x; // one that waits' | one that",
                "'/**\n * A queue.\n *\n * @param ones that\n *     wait\n */' | one that",
                "'// goes as\n// far as it can' | as far as"
            })
    void aPhraseThatNamesNothingIsFound(String source, String defect) {
        assertThat(Comments.of(source).stream().flatMap(paragraph -> defects(paragraph).stream()))
                .containsExactly(defect);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'String s = \"// the same of\";'",
                "'// The same file is read twice.'",
                "'// At one time, of which more below.'",
                "'/**\n * <pre>\n * one that is shown\n * </pre>\n */'"
            })
    void otherTextIsNot(String source) {
        assertThat(Comments.of(source).stream().flatMap(paragraph -> defects(paragraph).stream()))
                .isEmpty();
    }

    @Test
    void aSentenceThatIsTooLongIsFoundAcrossLines() {
        String half = "word ".repeat(21);
        assertThat(Comments.of("// " + half + "\n// " + half + ".\n").stream()
                        .flatMap(paragraph -> defects(paragraph).stream()))
                .containsExactly("42 words");
        assertThat(Comments.of("// " + half + ".\n// " + "W" + half + ".\n").stream()
                        .flatMap(paragraph -> defects(paragraph).stream()))
                .isEmpty();
    }
}
