package io.warpcodec.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Classes and settings that pages for users name are classes and settings of the product. */
class NamesTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern CLASS = Pattern.compile("io\\.warpcodec\\.(?:[a-z]+\\.)*[A-Z]\\w+");
    private static final Pattern SETTING =
            Pattern.compile("(?:spark\\.)?io\\.compression\\.(?:codec\\.)?gpu\\.([a-z0-9]+(?:\\.[a-z0-9]+)*)");

    @Test
    void classesThatPagesNameExist() throws IOException {
        Set<String> absent = new TreeSet<>();
        for (String name : found(CLASS, 0)) {
            try {
                Class.forName(name, false, NamesTest.class.getClassLoader());
            } catch (ClassNotFoundException none) {
                absent.add(name);
            }
        }
        assertThat(absent).isEmpty();
    }

    /** settings.md lists the settings that the product knows; other pages may name no other ones. */
    @Test
    void settingsThatPagesNameAreListed() throws IOException {
        String list = Files.readString(ROOT.resolve("docs/user/settings.md"));
        assertThat(found(SETTING, 1)).allSatisfy(word -> assertThat(list).contains("`" + word + "`"));
    }

    private static Set<String> found(Pattern pattern, int group) throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path page : Page.forUsers(ROOT)) {
            // Comments are for those who write the page.
            String shown = Files.readString(page).replaceAll("(?s)<!--.*?-->", "");
            Matcher matcher = pattern.matcher(shown);
            while (matcher.find()) {
                names.add(matcher.group(group));
            }
        }
        assertThat(names).isNotEmpty();
        return names;
    }
}
