package io.warpcodec.cli.file.system;

import java.nio.file.attribute.FileTime;

/**
 * What a file system says of a name.
 *
 * @param kind what lies there
 * @param bytes its size; 0 of what is no regular file
 * @param modified when it was last written, as exactly as the file system knows
 * @param changed when its content, names or attributes last changed, which no program can put back; null where the
 *     file system has no such time
 * @param identity equal for two names of one file and different for two files; null where the file system has no such
 *     number
 */
public record FileFacts(Kind kind, long bytes, FileTime modified, FileTime changed, Object identity) {

    /** What a name can stand for. */
    public enum Kind {
        REGULAR,
        FOLDER,
        /** A symbolic link, which only a look that does not follow links can meet. */
        LINK,
        /** A pipe, a socket or a device. */
        OTHER
    }

    /** Whether it is a regular file. */
    public boolean isRegular() {
        return kind == Kind.REGULAR;
    }

    /** Whether it is a folder. */
    public boolean isFolder() {
        return kind == Kind.FOLDER;
    }
}
