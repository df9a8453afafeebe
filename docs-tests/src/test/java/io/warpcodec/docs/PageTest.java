package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of the documentation see in a page, and what they would complain of. */
class PageTest {

    @TempDir
    Path folder;

    private Page page(String text) throws IOException {
        return Page.read(Files.writeString(folder.resolve("page.md"), text));
    }

    private Block block(String text) throws IOException {
        return page(text).blocks().get(0);
    }

    @Test
    void commandsAndWhatTheyPrintAreToldApart() throws IOException {
        Block block = block("# A\n\n```console\n$ seq 1 3 | \\\n    tail -1\n3\n$ true\n```\n");
        assertThat(block.line()).isEqualTo(3);
        assertThat(block.commands()).containsExactly("seq 1 3 | \\\n    tail -1", "true");
        assertThat(block.output()).containsExactly("3");
    }

    @Test
    void commentsBeforeBlocksAreRead() throws IOException {
        Block block = block("<!-- not run: needs a cluster -->\n```sql\nSELECT 1;\n```\n");
        assertThat(block.marker()).isEqualTo("not run");
        assertThat(block.reason()).isEqualTo("needs a cluster");
        assertThat(block("text\n\n<!-- file: a/b.xml -->\n```xml\n<a/>\n```\n").reason())
                .isEqualTo("a/b.xml");
    }

    @Test
    void blocksThatAreNeitherRunNorSayWhyNotAreFound() throws IOException {
        assertThat(block("```console\n$ true\n```\n").isAccountedFor()).isTrue();
        assertThat(block("```xml\n<a/>\n```\n").isAccountedFor()).isTrue();
        assertThat(block("<!-- not run: needs Hive -->\n```sql\nSELECT 1;\n```\n")
                        .isAccountedFor())
                .isTrue();
        assertThat(block("<!-- slow: a session -->\n```sql\nSELECT 1;\n```\n").isAccountedFor())
                .isTrue();
        for (String unmarked : List.of(
                "```sql\nSELECT 1;\n```\n",
                "```python\nprint(1)\n```\n",
                "```\n$ true\n```\n",
                "```bash\ntrue\n```\n",
                "```console\nno command\n```\n",
                "<!-- slow: a minute -->\n```python\nprint(1)\n```\n",
                "<!-- not run: -->\n```sql\nSELECT 1;\n```\n")) {
            assertThat(block(unmarked).isAccountedFor()).as(unmarked).isFalse();
        }
    }

    @Test
    void linksThatLeadNowhereAreFound() throws IOException {
        Files.writeString(folder.resolve("other.md"), "# Where `it` is\n");
        Page page = page("# One heading, twice\n\n[a](other.md) ![b](none.svg)\n\n# One heading, twice\n");
        assertThat(page.links()).containsExactly("other.md", "none.svg");
        for (String link : List.of("other.md", "other.md#where-it-is", "#one-heading-twice", "#one-heading-twice-1")) {
            assertThat(LinksTest.leadsSomewhere(folder, page, link)).as(link).isTrue();
        }
        for (String link : List.of("none.svg", "other.md#where", "#where-it-is", "../page.md")) {
            assertThat(LinksTest.leadsSomewhere(folder, page, link)).as(link).isFalse();
        }
    }
}
