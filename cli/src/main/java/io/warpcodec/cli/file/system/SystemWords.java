package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** What this system says of two errors, in the language that it speaks: Java hands out its words, and no numbers. */
final class SystemWords {

    /** ENAMETOOLONG. */
    static final String NAME_TOO_LONG = nameTooLong();

    /** EINVAL. */
    static final String INVALID = invalid();

    private static final int BYTES_OF_NO_NAME = 5_000;

    private SystemWords() {}

    private static String nameTooLong() {
        try {
            Files.readAttributes(Path.of("/" + "x".repeat(BYTES_OF_NO_NAME)), BasicFileAttributes.class);
        } catch (FileSystemException tooLong) {
            return tooLong.getReason();
        } catch (IOException other) {
            return "";
        }
        return "";
    }

    /** A device has no length that could be set. */
    private static String invalid() {
        try (RandomAccessFile device = new RandomAccessFile("/dev/null", "rw")) {
            device.setLength(0);
        } catch (IOException invalid) {
            return invalid.getMessage();
        }
        return "";
    }
}
