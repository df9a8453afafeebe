package io.warpcodec.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The pages of docs/user that are made of the code. {@code GeneratedPages FOLDER} writes them anew, FOLDER being
 * docs/user.
 */
public final class GeneratedPages {
    /** Stands on each page, so that changes go where they last. */
    static final String NOTE =
            "<!-- Made of the code by io.warpcodec.docs.GeneratedPages, a main class among codec-core's tests. Change the code, not this page. -->";

    private GeneratedPages() {}

    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, List<String>> page : pages().entrySet()) {
            Files.write(Path.of(arguments[0]).resolve(page.getKey()), page.getValue());
        }
    }

    /** File name to lines. */
    static Map<String, List<String>> pages() {
        return Map.of("settings.md", SettingsPage.lines(), "metrics-and-fallbacks.md", MetricsPage.lines());
    }
}
