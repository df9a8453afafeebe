package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileProblem;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * Refuses a file whose name the JVM could not decode. The bytes of a name on the command line become characters in
 * the encoding of the locale; bytes that have no meaning there become U+FFFD, which leads to no file, or to another
 * one.
 */
final class FileNameCheck {

    private static final char REPLACEMENT = '\uFFFD';
    private static final String FEED = "give it as standard input: warpcodec VERB - < FILE > OUTPUT";

    private FileNameCheck() {}

    /** Throws if the name on the command line was another one. */
    static void require(String name) throws FileProblem {
        if (name.indexOf(REPLACEMENT) < 0) {
            return;
        }
        String encoding = System.getProperty("sun.jnu.encoding", StandardCharsets.UTF_8.name());
        boolean isUtf8 =
                Charset.isSupported(encoding) && Charset.forName(encoding).equals(StandardCharsets.UTF_8);
        throw new FileProblem(
                name,
                isUtf8
                        ? "this name is not in UTF-8, and cannot be told from others; rename the file or " + FEED
                        : "this name cannot be told in the locale's encoding " + encoding
                                + "; start with LC_ALL=C.UTF-8, or " + FEED);
    }
}
