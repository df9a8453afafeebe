package io.warpcodec.cli.terminal;

import io.warpcodec.CorruptDataException;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.file.system.FileReason;
import io.warpcodec.cli.file.system.NameTaken;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;

/** Turns a failure into one line for a person, and into an exit code. */
public final class ErrorText {

    private ErrorText() {}

    /** The reason in one line. */
    public static String of(Throwable failure) {
        if (failure instanceof FileProblem || isCorruption(failure)) {
            return failure.getMessage();
        }
        if (failure.getCause() instanceof LinkageError linkage && LinkageReason.isOfNativePart(linkage)) {
            return LinkageReason.of(linkage);
        }
        if (failure instanceof IOException io) {
            return explained(FileReason.of(io));
        }
        if (failure instanceof LinkageError linkage) {
            return LinkageReason.of(linkage);
        }
        return firstLine(failure);
    }

    /** A reason that ends with the word of why no device works says that in a sentence. */
    private static String explained(String reason) {
        for (FallbackReason each : FallbackReason.values()) {
            if (reason.endsWith(": " + each.word())) {
                return reason + ". " + each.explanation();
            }
        }
        return reason;
    }

    /** The kind of failure and the first line of what it says. */
    static String firstLine(Throwable failure) {
        String message = failure.getMessage();
        String kind = failure.getClass().getSimpleName();
        return message == null || message.isBlank()
                ? kind
                : kind + ": " + message.lines().findFirst().orElse("");
    }

    /** {@link ExitCode#CORRUPT} for bad data, {@link ExitCode#TAKEN} for a name, else {@link ExitCode#FAILED}. */
    public static int exitCode(Throwable failure) {
        if (failure instanceof NameTaken) {
            return ExitCode.TAKEN;
        }
        return isCorruption(failure) ? ExitCode.CORRUPT : ExitCode.FAILED;
    }

    private static boolean isCorruption(Throwable failure) {
        return failure instanceof CorruptDataException || failure instanceof TruncatedDataException;
    }
}
