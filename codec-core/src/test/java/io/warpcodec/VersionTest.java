package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class VersionTest {
    @Test
    void versionIsThatOfTheBuild() throws Exception {
        Matcher built =
                Pattern.compile("(?m)^  <version>(.*)</version>$").matcher(Files.readString(Path.of("../pom.xml")));
        assertThat(built.find()).isTrue();
        assertThat(Version.text()).isEqualTo(built.group(1));
    }
}
