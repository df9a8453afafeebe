package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All blocks for users that no test runs: one more shows here, and its page says why. */
class MarksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @Test
    void onlyTheseBlocksAreNotRun() throws IOException {
        assertThat(marked(Page.NOT_RUN))
                .containsExactlyInAnyOrder(
                        "README.md: console",
                        "docs/user/hive.md: sql",
                        "docs/user/hive.md: sql",
                        "docs/user/install-spark.md: python",
                        "docs/user/migration.md: console",
                        "docs/user/node-service.md: console");
    }

    @Test
    void onlyTheseBlocksAreRunOnDemand() throws IOException {
        assertThat(marked(Page.SLOW))
                .containsExactlyInAnyOrder(
                        "README.md: console",
                        "README.md: console",
                        "docs/user/hive.md: sql",
                        "docs/user/install-spark.md: console",
                        "docs/user/migration.md: console",
                        "docs/user/troubleshooting.md: console",
                        "docs/user/performance.md: console");
    }

    private static List<String> marked(String marker) throws IOException {
        List<String> marked = new ArrayList<>();
        for (Path file : Page.forUsers(ROOT)) {
            for (Block block : Page.read(file).blocks()) {
                if (block.marker().equals(marker)) {
                    marked.add(ROOT.relativize(file) + ": " + block.language());
                }
            }
        }
        return marked;
    }
}
