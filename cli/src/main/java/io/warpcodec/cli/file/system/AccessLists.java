package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether local files have an access control list. Java shows none of them, but {@code ls} does: a plus behind the permissions. A list that is not seen would
 * be dangerous both ways. The permissions of a file with a list say what its widest entry may, not what its group may; and a file in a folder with a default
 * list is born with entries that wider permissions bring to life.
 */
final class AccessLists {

    /** {@link FileAttributes#acl} of a file whose list is there, but cannot be read. */
    static final String UNREADABLE = "posix";

    private static final int PLUS_AT = 10;

    private static final Map<Path, Boolean> FOLDERS = new ConcurrentHashMap<>();

    private AccessLists() {}

    /** Whether a file has one; false where there is no {@code ls}. */
    static boolean isOn(Path file) {
        try {
            ProcessBuilder ls =
                    new ProcessBuilder("ls", "-ld", "--", file.toAbsolutePath().toString());
            ls.environment().put("LC_ALL", "C");
            Process process = ls.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            try (InputStream line = process.getInputStream()) {
                String mode = new String(line.readNBytes(PLUS_AT + 1), StandardCharsets.US_ASCII);
                line.transferTo(OutputStream.nullOutputStream());
                return mode.length() > PLUS_AT && mode.charAt(PLUS_AT) == '+';
            }
        } catch (IOException noSuchProgram) {
            return false;
        }
    }

    /** Whether new files in a folder may be born with one. Asked once in the life of the process. */
    static boolean isInheritedFrom(Path folder) {
        return FOLDERS.computeIfAbsent(folder.toAbsolutePath(), AccessLists::isOn);
    }
}
