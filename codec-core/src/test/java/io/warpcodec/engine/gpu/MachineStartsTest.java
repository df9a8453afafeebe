package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineStartsTest {
    @TempDir
    Path parent;

    private Path file() throws Exception {
        try (Stream<Path> files = Files.walk(parent)) {
            return files.filter(Files::isRegularFile).findFirst().orElseThrow();
        }
    }

    @Test
    void oneTurnAtATime() {
        MachineStarts one = MachineStarts.below(parent);
        MachineStarts other = MachineStarts.below(parent);
        try (MachineStarts.Turn turn = one.tryTurn()) {
            assertThat(turn).isNotNull();
            assertThat(other.tryTurn()).isNull();
            assertThat(one.tryTurn()).isNull();
        }
        try (MachineStarts.Turn turn = other.tryTurn()) {
            assertThat(turn).isNotNull();
        }
    }

    @Test
    void whatAStartTookIsKnownToOthersForTenMinutes() throws Exception {
        MachineStarts one = MachineStarts.below(parent);
        assertThat(one.measuredNanos()).isEqualTo(-1);
        try (MachineStarts.Turn turn = one.tryTurn()) {
            turn.took(12_345_678_901L);
            turn.took(42);
        }
        assertThat(MachineStarts.below(parent).measuredNanos()).isEqualTo(42);
        long then = System.currentTimeMillis() - MachineStarts.VALID_MILLIS - TimeUnit.SECONDS.toMillis(1);
        Files.setLastModifiedTime(file(), FileTime.fromMillis(then));
        assertThat(MachineStarts.below(parent).measuredNanos()).isEqualTo(-1);
    }

    @Test
    void aFileThatHoldsSomethingElseSaysNothing() throws Exception {
        MachineStarts starts = MachineStarts.below(parent);
        starts.tryTurn().close();
        for (String content : new String[] {"", "x", "-5", "9".repeat(100), "1 2"}) {
            Files.writeString(file(), content);
            assertThat(starts.measuredNanos()).as(content).isEqualTo(-1);
        }
    }

    @Test
    void theFileLiesWhereOnlyThisUserCanEnter() throws Exception {
        MachineStarts.below(parent).tryTurn().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void aLinkInTheFilesPlaceIsNotFollowed() throws Exception {
        MachineStarts starts = MachineStarts.below(parent);
        starts.tryTurn().close();
        Path file = file();
        Path elsewhere = Files.writeString(parent.resolve("elsewhere"), "77");
        Files.delete(file);
        Files.createSymbolicLink(file, elsewhere);
        assertThat(starts.measuredNanos()).isEqualTo(-1);
        try (MachineStarts.Turn turn = starts.tryTurn()) {
            turn.took(5);
        }
        assertThat(elsewhere).hasContent("77");
    }

    @Test
    void whereNoFolderCanBeMadeEachIsAlone() {
        MachineStarts starts = MachineStarts.below(parent.resolve("absent/folder"));
        assertThat(starts.measuredNanos()).isEqualTo(-1);
        try (MachineStarts.Turn one = starts.tryTurn();
                MachineStarts.Turn two = starts.tryTurn()) {
            one.took(1);
            assertThat(two).isNotNull();
        }
        assertThat(starts.measuredNanos()).isEqualTo(-1);
    }
}
