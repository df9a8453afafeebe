package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between pages lead to files and headings that exist. Links to other sites are listed, not followed. */
class LinksTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern MENTIONED_PAGE = Pattern.compile("(?<![\\w/.-])docs/[\\w./-]*[a-z0-9]\\.(?:md|svg)");

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        Set<String> external = new TreeSet<>();
        for (Path file : Page.all(ROOT)) {
            Page page = Page.read(file);
            for (String link : page.links()) {
                if (link.matches("[a-z]+:.*")) {
                    external.add(link);
                } else if (!leadsSomewhere(ROOT, page, link)) {
                    broken.add(ROOT.relativize(file) + ": " + link);
                }
            }
        }
        System.out.println("docs: links to other sites, not followed: " + external);
        assertThat(broken).isEmpty();
    }

    @Test
    void pagesThatAreMentionedExist() throws IOException {
        List<String> absent = new ArrayList<>();
        for (Path file : Page.all(ROOT)) {
            Matcher mention = MENTIONED_PAGE.matcher(Files.readString(file));
            while (mention.find()) {
                if (!Files.exists(ROOT.resolve(mention.group()))) {
                    absent.add(ROOT.relativize(file) + ": " + mention.group());
                }
            }
        }
        assertThat(absent).isEmpty();
    }

    static boolean leadsSomewhere(Path root, Page page, String link) throws IOException {
        int hash = link.indexOf('#');
        String path = URLDecoder.decode(hash < 0 ? link : link.substring(0, hash), StandardCharsets.UTF_8);
        Path target = path.isEmpty()
                ? page.file()
                : page.file().getParent().resolve(path).normalize();
        if (!target.startsWith(root) || !Files.exists(target)) {
            return false;
        }
        return hash < 0 || Page.read(target).anchors().contains(link.substring(hash + 1));
    }
}
