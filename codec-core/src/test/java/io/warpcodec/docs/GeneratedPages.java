package io.warpcodec.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pages of docs/user that are made of the code. {@code GeneratedPages FOLDER} writes them anew, FOLDER being
 * docs/user.
 */
public final class GeneratedPages {
    /** Stands on each page, so that changes go where they last. */
    static final String NOTE =
            "<!-- Made of the code by io.warpcodec.docs.GeneratedPages, a main class among codec-core's tests. Change the code, not this page. -->";

    private static final int MOST_CHARACTERS = 120;
    /** Letters, code and links without a blank between them. */
    private static final Pattern WORD = Pattern.compile("(?:`[^`]*`|\\[[^]]*]\\([^)]*\\)|[^\\s`])+");

    private GeneratedPages() {}

    public static void main(String[] arguments) throws IOException {
        for (Map.Entry<String, List<String>> page : pages().entrySet()) {
            Files.write(Path.of(arguments[0]).resolve(page.getKey()), page.getValue());
        }
    }

    /** File name to lines. */
    static Map<String, List<String>> pages() {
        return Map.of(
                "settings.md", wrapped(SettingsPage.lines()), "metrics-and-fallbacks.md", wrapped(MetricsPage.lines()));
    }

    /** Breaks paragraphs between words, but for those of code and links; tables and comments stay. */
    private static List<String> wrapped(List<String> lines) {
        List<String> wrapped = new ArrayList<>();
        for (String line : lines) {
            if (line.startsWith("|") || line.startsWith("<")) {
                wrapped.add(line);
                continue;
            }
            StringBuilder part = new StringBuilder();
            for (Matcher word = WORD.matcher(line); word.find(); ) {
                if (part.length() > 0 && part.length() + 1 + word.group().length() > MOST_CHARACTERS) {
                    wrapped.add(part.toString());
                    part.setLength(0);
                }
                part.append(part.length() == 0 ? "" : " ").append(word.group());
            }
            wrapped.add(part.toString());
        }
        return wrapped;
    }
}
