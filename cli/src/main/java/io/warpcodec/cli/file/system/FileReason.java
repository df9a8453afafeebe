package io.warpcodec.cli.file.system;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** The reason for a failed file operation in a few words, for Java says it with the exception's class only. */
public final class FileReason {

    private FileReason() {}

    /** The reason, without the file's name and in one line. */
    public static String of(IOException failure) {
        if (failure instanceof NoSuchFileException || failure instanceof FileNotFoundException) {
            return "no such file";
        }
        // Hadoop has an exception of this name, which has to be recognised without loading Hadoop
        if (failure instanceof AccessDeniedException
                || failure.getClass().getSimpleName().equals("AccessControlException")) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        if (failure instanceof NotDirectoryException) {
            return "a part of its path is not a folder";
        }
        String reason =
                failure instanceof FileSystemException fileFailure ? fileFailure.getReason() : failure.getMessage();
        if (reason == null || reason.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        int lineEnd = reason.indexOf('\n');
        String line = lineEnd < 0 ? reason : reason.substring(0, lineEnd);
        return Character.toLowerCase(line.charAt(0)) + line.substring(1);
    }
}
