package io.warpcodec.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * A page of the documentation as its tests see it: fenced blocks, links, and the anchors of its headings.
 *
 * <p>A comment right before a block says what the tests do with it:
 *
 * <ul>
 *   <li>{@code <!-- not run: REASON -->}: the block is not run.
 *   <li>{@code <!-- slow: REASON -->}: the block is run only with {@code -Dwarpcodec.test.docs.slow=true}. Every block
 *       of sql that is run has this comment.
 *   <li>{@code <!-- file: NAME -->}: the block is written into this file before the blocks behind it run.
 * </ul>
 */
record Page(Path file, List<Block> blocks, List<String> links, Set<String> anchors) {

    /** The language of blocks that hold commands. */
    static final String COMMANDS = "console";

    /** The language of blocks that hold statements for the reader's Hive session. */
    static final String STATEMENTS = "sql";

    static final String NOT_RUN = "not run";
    static final String SLOW = "slow";
    static final String FILE = "file";

    /**
     * Languages of blocks that hold nothing to run. Code for a program's own prompt, such as sql, is something to run.
     */
    private static final Set<String> FILES_AND_OUTPUT =
            Set.of("xml", "properties", "yaml", "text", "dockerfile", "java");

    private static final Parser PARSER =
            Parser.builder().includeSourceSpans(IncludeSourceSpans.BLOCKS).build();
    private static final Pattern MARKER =
            Pattern.compile("<!--\\s*(not run|slow|file):\\s*(\\S.*?)\\s*-->", Pattern.DOTALL);

    /**
     * @param line of the fence, from 1
     * @param language the word behind the fence
     * @param marker {@code not run}, {@code slow}, {@code file}, or empty
     * @param reason what stands behind the marker: a reason, or a file name
     */
    record Block(int line, String language, String text, String marker, String reason) {

        /** Whether the tests run it, or it says why they do not, or there is nothing in it to run. */
        boolean isAccountedFor() {
            boolean isFile = FILES_AND_OUTPUT.contains(language);
            if (marker.equals(NOT_RUN)) {
                return !isFile;
            }
            boolean isStatements = language.equals(STATEMENTS) && marker.equals(SLOW);
            return isFile
                    || isStatements
                    || language.equals(COMMANDS) && !commands().isEmpty();
        }

        /** Whether it holds something to run. */
        boolean isToRun() {
            return language.equals(COMMANDS) || language.equals(STATEMENTS);
        }

        /** Lines behind {@code $ }, each with the lines that a backslash at its end joins to it. */
        List<String> commands() {
            List<String> commands = new ArrayList<>();
            boolean goesOn = false;
            for (String line : text.split("\n")) {
                if (goesOn) {
                    commands.set(commands.size() - 1, commands.get(commands.size() - 1) + "\n" + line);
                } else if (line.startsWith("$ ")) {
                    commands.add(line.substring(2));
                } else {
                    continue;
                }
                goesOn = line.endsWith("\\");
            }
            return commands;
        }

        /** Lines that the page shows as printed by the commands. */
        List<String> output() {
            List<String> output = new ArrayList<>();
            boolean goesOn = false;
            for (String line : text.split("\n")) {
                boolean command = goesOn || line.startsWith("$ ");
                if (!command && !line.isBlank()) {
                    output.add(line.strip());
                }
                goesOn = command && line.endsWith("\\");
            }
            return output;
        }
    }

    static Page read(Path file) throws IOException {
        List<Block> blocks = new ArrayList<>();
        List<String> links = new ArrayList<>();
        Set<String> anchors = new HashSet<>();
        IdGenerator ids = IdGenerator.builder().build();
        PARSER.parse(Files.readString(file)).accept(new AbstractVisitor() {
            @Override
            public void visit(FencedCodeBlock fence) {
                blocks.add(block(fence));
            }

            @Override
            public void visit(Heading heading) {
                anchors.add(ids.generateId(words(heading)));
                visitChildren(heading);
            }

            @Override
            public void visit(Link link) {
                links.add(link.getDestination());
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                links.add(image.getDestination());
            }
        });
        return new Page(file, List.copyOf(blocks), List.copyOf(links), Set.copyOf(anchors));
    }

    private static Block block(FencedCodeBlock fence) {
        int line = fence.getSourceSpans().get(0).getLineIndex() + 1;
        String marker = "";
        String reason = "";
        if (fence.getPrevious() instanceof HtmlBlock comment) {
            Matcher matcher = MARKER.matcher(comment.getLiteral());
            if (matcher.find()) {
                marker = matcher.group(1);
                reason = matcher.group(2);
            }
        }
        return new Block(line, fence.getInfo(), fence.getLiteral(), marker, reason);
    }

    private static String words(Node heading) {
        StringBuilder words = new StringBuilder();
        heading.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }
        });
        return words.toString();
    }

    /** README.md and the pages for users. */
    static List<Path> forUsers(Path root) throws IOException {
        List<Path> pages = new ArrayList<>(List.of(root.resolve("README.md"), root.resolve("docs/README.md")));
        pages.addAll(markdownBelow(root.resolve("docs/user")));
        return pages;
    }

    /** All pages of the tree. */
    static List<Path> all(Path root) throws IOException {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> top = Files.list(root)) {
            top.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        for (String folder : List.of("docs", "benchmarks", "docker", "golden")) {
            pages.addAll(markdownBelow(root.resolve(folder)));
        }
        return pages;
    }

    private static List<Path> markdownBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        }
    }
}
