package io.warpcodec.engine.gpu.node.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.engine.gpu.node.ServedNode;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Processes of other users that run main classes of the tests, without a capability. Needs root. The class path is
 * copied where every user may read it: a source tree or a home may be closed.
 */
final class UserJava implements AutoCloseable {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final long SECONDS = 120;
    /** The Java version from which on a process warns of native access. */
    private static final int FIRST_THAT_WARNS = 24;

    private final Path classes;
    private final String classPath;
    /** Where they may leave files, such as native libraries. */
    private final Path temporary;

    private UserJava(List<Path> sources) throws IOException {
        classes = Files.createTempDirectory(Path.of("/tmp"), "warpcodec-users-");
        List<String> parts = new ArrayList<>();
        for (Path source : sources) {
            Path copy = classes.resolve(parts.size() + "-" + source.getFileName());
            copy(source, copy);
            parts.add(copy.toString());
        }
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        classPath = String.join(":", parts);
        temporary = Files.createDirectory(classes.resolve("temporary"));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /** As {@link #withAll}, but where such a process of this user cannot be, the test is not run. */
    static UserJava with(String user) throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can start processes of other users");
        assumeTrue(Files.isExecutable(SETPRIV), "there is no " + SETPRIV + ", of util-linux");
        assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "there is no /dev/shm");
        Process probe = as(user, List.of("test", "-x", JAVA.toString()));
        String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(probe.waitFor() == 0, "the user " + user + " cannot run " + JAVA + " " + said);
        return withAll();
    }

    /** With all of this process's class path. */
    static UserJava withAll() throws IOException {
        return new UserJava(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, copy);
                Files.setPosixFilePermissions(
                        copy, PosixFilePermissions.fromString(Files.isDirectory(copy) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }

    /** Starts a program. */
    static Process as(String user, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                SETPRIV.toString(),
                "--reuid",
                user,
                "--regid",
                user,
                "--clear-groups",
                "--inh-caps=-all",
                "--no-new-privs",
                "--"));
        command.addAll(program);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Starts a process; its error output is among its output. */
    Process start(String user, Class<?> main, String... arguments) throws IOException {
        List<String> program = new ArrayList<>(List.of(
                JAVA.toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + temporary,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                classPath,
                main.getName()));
        if (Runtime.version().feature() >= FIRST_THAT_WARNS) {
            program.add(1, "--enable-native-access=ALL-UNNAMED");
        }
        program.addAll(List.of(arguments));
        return as(user, program);
    }

    /** The lines of a process that ends. */
    static List<String> said(Process process) throws Exception {
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Ends a process by the end of its input. */
    static void end(Process process) throws Exception {
        process.getOutputStream().close();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }

    /** Kills a process, and those that it has started, which would clean up behind it. */
    static void kill(Process process) throws Exception {
        List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle each : all) {
            each.onExit().get();
        }
    }

    /** A folder of a user, as its service makes it. */
    static Path folder(String user) throws IOException {
        Path folder = ServedNode.newFolder();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
        return folder;
    }

    /** Deletes a folder with all that is in it. */
    static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @Override
    public void close() throws IOException {
        delete(classes);
    }
}
