package io.warpcodec.cli.file.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local files that are opened more than once. */
class LocalFilesTest {
    @TempDir
    Path folder;

    private final LocalFiles files = new LocalFiles();

    private FileOperations.Opened open(Path file) throws Exception {
        return files.openSeen(file, false, files.look(file, false));
    }

    /** The first descriptor of a file is found for the second one, too. */
    @Test
    void attributesAreReadThoughAnotherDescriptorOfTheFileIsClosed() throws Exception {
        Path file = Files.writeString(folder.resolve("a.gz"), "bytes");
        try (var first = open(file).bytes()) {
            FileOperations.Opened second = open(file);
            FileAttributes before = second.attributes();
            first.close();
            assertThat(second.attributes()).isEqualTo(before);
            second.bytes().close();
        }
    }

    /** Its number is another file's by then. */
    @Test
    void attributesAreNeverThoseOfAnotherFile() throws Exception {
        Path file = Files.writeString(folder.resolve("a.gz"), "bytes");
        Path other = Files.writeString(folder.resolve("other"), "other bytes");
        Files.setLastModifiedTime(other, FileTime.fromMillis(1000));
        FileOperations.Opened first = open(file);
        FileOperations.Opened second = open(file);
        FileAttributes before = second.attributes();
        first.bytes().close();
        try (var takesItsNumber = open(other).bytes()) {
            assertThat(takesItsNumber.read()).isEqualTo('o');
            assertThat(second.attributes()).isEqualTo(before);
        }
        second.bytes().close();
    }
}
