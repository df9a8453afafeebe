package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The descriptors of this process as paths. A file that is reached through one is the file that was opened, whatever
 * has its name by now. Java has no other way to a file's owner, or to names in a folder, that no rename can lead
 * elsewhere. Linux alone has these paths.
 */
final class Descriptors {

    private static final Path OURS = Path.of("/proc/self/fd");

    /** Whether this system has them. */
    static final boolean EXIST = Files.isDirectory(OURS);

    private Descriptors() {}

    /**
     * An open file or folder.
     *
     * @param fileName the last part of its path, which saves looking at all descriptors; null if that is not known
     * @param identity as {@link FileFacts#identity} has it
     * @return null if it is not open, or has another name by now
     */
    static Path of(String fileName, Object identity) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(OURS)) {
            for (Path each : all) {
                if (mayBeNamed(each, fileName) && identity.equals(identity(each))) {
                    return each;
                }
            }
        }
        return null;
    }

    /**
     * The attributes of an open file.
     *
     * @param found a descriptor of it; perhaps of another open of the same file, and closed meanwhile
     */
    static FileAttributes attributes(Path found, Object identity) throws IOException {
        for (Path descriptor = found; descriptor != null; descriptor = of(null, identity)) {
            try {
                FileAttributes attributes = PosixAttributes.read(descriptor);
                if (identity.equals(identity(descriptor))) {
                    return attributes;
                }
            } catch (NoSuchFileException failure) {
                if (identity.equals(identity(descriptor))) {
                    throw failure; // it was not closed, so another descriptor would fail likewise
                }
            }
        }
        throw new IOException("is no longer open");
    }

    /** True also where the system cannot tell, as of a path that is longer than it takes. */
    private static boolean mayBeNamed(Path descriptor, String fileName) {
        try {
            return fileName == null || Files.readSymbolicLink(descriptor).endsWith(fileName);
        } catch (IOException notTold) {
            return true;
        }
    }

    /** Which file a descriptor is of; null if it has been closed. */
    static Object identity(Path descriptor) {
        try {
            return Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey();
        } catch (IOException closedMeanwhile) {
            return null;
        }
    }
}
