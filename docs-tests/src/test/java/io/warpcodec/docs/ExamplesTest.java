package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.docs.Page.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples of the tarball's {@code conf} and those of the pages give a key the same value. */
class ExamplesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern XML = Pattern.compile("<name>([^<]+)</name>\\s*<value>([^<]+)</value>");
    private static final Pattern LINE = Pattern.compile("(?m)^(spark\\.[\\w.]+)[ =]+(\\S+)$");

    @Test
    void keyHasOneValueInExamplesAndPages() throws IOException {
        Map<String, Set<String>> inConf = new TreeMap<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("dist/src/main/conf"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                collect(Files.readString(file), inConf);
            }
        }
        Map<String, Set<String>> onPages = new TreeMap<>();
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        for (String name : List.of("install-spark", "install-hadoop", "troubleshooting", "hive")) {
            pages.add(ROOT.resolve("docs/user/" + name + ".md"));
        }
        for (Path page : pages) {
            for (Block block : Page.read(page).blocks()) {
                collect(block.text(), onPages);
            }
        }
        assertThat(onPages).containsKeys("spark.io.compression.codec", "io.compression.codecs");
        Set<String> common =
                inConf.keySet().stream().filter(onPages::containsKey).collect(Collectors.toSet());
        assertThat(common).hasSizeGreaterThan(3).allSatisfy(key -> {
            assertThat(inConf.get(key)).as(key).hasSize(1);
            assertThat(onPages.get(key)).as(key).isEqualTo(inConf.get(key));
        });
    }

    private static void collect(String text, Map<String, Set<String>> values) {
        for (Pattern pattern : List.of(XML, LINE)) {
            Matcher matcher = pattern.matcher(text);
            while (matcher.find()) {
                values.computeIfAbsent(matcher.group(1), absent -> new TreeSet<>())
                        .add(matcher.group(2));
            }
        }
    }
}
