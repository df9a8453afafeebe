package io.warpcodec.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The comments of a source in Java or CUDA, in paragraphs. */
final class Comments {
    /** A comment behind code, outside of strings. */
    private static final Pattern BEHIND_CODE =
            Pattern.compile("^((?:[^\"]|\"(?:[^\"\\\\]|\\\\.)*\")*?)(?<!:)//[/!<]*\\s(.*)$");

    /** What begins a paragraph in a comment. */
    private static final Pattern BEGINS = Pattern.compile("^(@|<p>|<li>|<ul>|<ol>|<h|</|- |\\* |\\||\\d+\\. ).*");

    /** Prose that belongs together, its line ends replaced by spaces. */
    record Paragraph(int line, String text) {
        /** Sentences, which end with a full stop and the beginning of another one. */
        List<String> sentences() {
            return List.of(text.split("(?<=[.!?])[\"')]?\\s+(?=[A-Z<`{(])"));
        }
    }

    private final List<Paragraph> paragraphs = new ArrayList<>();
    private final StringBuilder open = new StringBuilder();
    private int openLine;
    private boolean preformatted;

    private Comments() {}

    /** All paragraphs of all comments; no preformatted text. */
    static List<Paragraph> of(String source) {
        Comments comments = new Comments();
        String[] lines = source.split("\n", -1);
        boolean inBlock = false;
        for (int line = 0; line < lines.length; line++) {
            String text = lines[line].strip();
            if (inBlock || text.startsWith("/*")) {
                inBlock = !text.contains("*/");
                comments.add(
                        line,
                        text.replaceFirst("^/\\*+!?", "")
                                .replaceFirst("\\*+/.*$", "")
                                .replaceFirst("^\\s*\\*+ ?", ""));
                if (!inBlock) {
                    comments.end();
                }
            } else if (text.startsWith("//")) {
                comments.add(line, text.replaceFirst("^//[/!<]*", ""));
            } else {
                comments.end();
                Matcher behind = BEHIND_CODE.matcher(lines[line]);
                if (behind.matches()) {
                    comments.add(line, behind.group(2));
                    comments.end();
                }
            }
        }
        comments.end();
        return comments.paragraphs;
    }

    private void add(int line, String text) {
        String prose = text.strip();
        boolean wasPreformatted = preformatted;
        preformatted = (preformatted || text.contains("<pre>")) && !text.contains("</pre>");
        boolean indented = text.startsWith("   ");
        if (prose.isEmpty()
                || indented
                || wasPreformatted
                || preformatted
                || BEGINS.matcher(prose).matches()) {
            end();
        }
        if (!prose.isEmpty() && !wasPreformatted && !preformatted) {
            if (open.isEmpty()) {
                openLine = line + 1;
            }
            String plain = prose.replaceFirst("^(@\\w+ ?|<p>|- )", "").replaceAll("\\{@\\w+ ([^}]*)\\}", "$1");
            open.append(open.isEmpty() ? "" : " ").append(plain);
        }
    }

    private void end() {
        if (!open.isEmpty()) {
            paragraphs.add(new Paragraph(openLine, open.toString().replaceAll("\\{@\\w+ ([^}]*)\\}", "$1")));
            open.setLength(0);
        }
    }
}
