package io.warpcodec.cli;

import io.warpcodec.CorruptDataException;
import io.warpcodec.TruncatedDataException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Turns a failure into one line for a person, and into an exit code. */
final class Complaint {

    private Complaint() {}

    /** The line: what the exception says where it speaks to people, else its kind and message. Never more than one line. */
    static String of(Throwable failure) {
        String line = describe(failure);
        int end = line.indexOf('\n');
        return end < 0 ? line : line.substring(0, end);
    }

    static int exitCode(Throwable failure) {
        return failure instanceof CorruptDataException || failure instanceof TruncatedDataException
                ? ExitCode.CORRUPT
                : ExitCode.FAILED;
    }

    private static String describe(Throwable failure) {
        if (failure instanceof FileSystemException fileFailure) {
            return fileFailure.getFile() == null
                    ? reason(fileFailure)
                    : fileFailure.getFile() + ": " + reason(fileFailure);
        }
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        return failure instanceof RuntimeException ? failure.getClass().getSimpleName() + ": " + message : message;
    }

    /** Java's file exceptions say what went wrong with their class only. */
    private static String reason(FileSystemException failure) {
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (failure instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        if (failure instanceof DirectoryNotEmptyException || failure instanceof NotDirectoryException) {
            return "not a file";
        }
        return failure.getReason() == null ? failure.getClass().getSimpleName() : failure.getReason();
    }
}
