package io.warpcodec.cli.file.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list that cannot be looked for may be there. */
class AccessListsTest {

    @TempDir
    Path folder;

    @Test
    void withoutAProgramThatTellsAListIsPresumed() throws IOException {
        Path file = Files.createFile(folder.resolve("a"));
        assertThat(AccessLists.isOn(file)).isFalse();
        assertThat(AccessLists.isOn(file, Optional.empty())).isTrue();
        assertThat(AccessLists.isOn(file, Optional.of(folder.resolve("no-such-program"))))
                .isTrue();
        assertThat(AccessLists.isOn(file, Optional.of(Path.of("/bin/true")))).isTrue();
    }
}
