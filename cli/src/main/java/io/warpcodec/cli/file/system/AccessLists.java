package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Whether local files have an access control list. Java shows none of them, but {@code ls} does: a plus behind the
 * permissions. A list that is not seen would be dangerous both ways. The permissions of a file with a list say what
 * its widest entry may, not what its group may; and a file in a folder with a default list is born with entries that
 * wider permissions bring to life.
 */
final class AccessLists {

    /** {@link FileAttributes#acl} of a file whose list is there, but cannot be read. */
    static final String UNREADABLE = "posix";

    private static final int PLUS_AT = 10;

    private static final Map<Object, Boolean> FOLDERS = new ConcurrentHashMap<>();

    /** Not looked for on the path, which may lead to a file system that does not answer. */
    private static final Optional<Path> LS = Stream.of("/bin/ls", "/usr/bin/ls")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();

    private static final Path OURS = Path.of("/proc/self");

    private AccessLists() {}

    /** Whether a file has one; true where there is no {@code ls} to say it, for then a list may be there. */
    static boolean isOn(Path file) {
        return isOn(file, LS);
    }

    static boolean isOn(Path file, Optional<Path> program) {
        try {
            // a path of ours is followed where it is a descriptor, else looked at as it stands
            String options = isDescriptor(file) ? "-ldL" : "-ld";
            ProcessBuilder ls = new ProcessBuilder(program.orElseThrow().toString(), options, "--", seenByOthers(file));
            ls.environment().put("LC_ALL", "C");
            Process process = ls.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            process.getOutputStream().close();
            try (InputStream line = process.getInputStream()) {
                String mode = new String(line.readNBytes(PLUS_AT + 1), StandardCharsets.US_ASCII);
                line.transferTo(OutputStream.nullOutputStream());
                return mode.length() <= PLUS_AT || mode.charAt(PLUS_AT) == '+';
            }
        } catch (IOException | NoSuchElementException noSuchProgram) {
            return true;
        }
    }

    private static boolean isDescriptor(Path file) {
        return file.startsWith(OURS) && file.getNameCount() == OURS.getNameCount() + 2;
    }

    /** The path by which another process finds a file. */
    private static String seenByOthers(Path file) {
        Path path = file.toAbsolutePath();
        return path.startsWith(OURS)
                ? "/proc/" + ProcessHandle.current().pid() + "/" + OURS.relativize(path)
                : path.toString();
    }

    /** Whether new files in a folder may be born with one. Asked once in the life of the process. */
    static boolean isInheritedFrom(Path folder) throws IOException {
        Path known = folder.toAbsolutePath();
        // a descriptor's number, and a folder's own, may be another folder's next
        List<Object> key = List.of(known.toRealPath(), Objects.requireNonNullElse(Descriptors.identity(known), ""));
        return FOLDERS.computeIfAbsent(key, each -> isOn(folder));
    }
}
