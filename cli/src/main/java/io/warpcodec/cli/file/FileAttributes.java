package io.warpcodec.cli.file;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * What a file that takes another one's place inherits from it.
 *
 * @param modified when it was last written
 * @param permissions who may do what; null where the file system has none
 */
public record FileAttributes(FileTime modified, Set<PosixFilePermission> permissions) {}
