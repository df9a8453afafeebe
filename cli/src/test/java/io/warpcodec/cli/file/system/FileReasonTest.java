package io.warpcodec.cli.file.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

/** What a person reads of a file operation that failed: a few words in one line, without the file's name. */
class FileReasonTest {
    @Test
    void whatJavaSaysWithAClassIsSaidInWords() {
        assertThat(FileReason.of(new NoSuchFileException("a"))).isEqualTo("no such file");
        assertThat(FileReason.of(new FileNotFoundException("a (gone)"))).isEqualTo("no such file");
        assertThat(FileReason.of(new AccessDeniedException("a"))).isEqualTo("permission denied");
        assertThat(FileReason.of(new FileAlreadyExistsException("a"))).isEqualTo("exists already");
        assertThat(FileReason.of(new NotDirectoryException("a"))).contains("not a folder");
    }

    @Test
    void whatTheSystemSaysIsGivenInOneLine() {
        assertThat(FileReason.of(new FileSystemException("a", null, "No space left on device")))
                .isEqualTo("no space left on device");
        assertThat(FileReason.of(new IOException("Connection reset\n  at java.base/...")))
                .isEqualTo("connection reset");
    }

    @Test
    void whatHasNoMessageIsNamedByItsClass() {
        assertThat(FileReason.of(new EOFException())).isEqualTo("EOFException");
        assertThat(FileReason.of(new IOException(" "))).isEqualTo("IOException");
        assertThat(FileReason.of(new FileSystemException("a"))).isEqualTo("FileSystemException");
    }
}
