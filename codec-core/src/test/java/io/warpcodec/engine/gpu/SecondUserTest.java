package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.serve.NodeService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.xerial.snappy.Snappy;

/**
 * Users of one service, as processes of their own: none can read or write what is another's, and no service of a user that is not trusted is used. Needs root, to be other
 * users.
 */
class SecondUserTest {
    private static final Path SETPRIV = Path.of("/usr/bin/setpriv");
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final String ROOT = "0";
    private static final String SECOND_USER = "65534";
    private static final String THIRD_USER = "65533";
    private static final byte SECRET = 's';
    private static final long SECONDS = 120;

    /** What the processes run, where every user may read it: a source tree or a home may be closed. */
    private static Path classes;

    private static String classPath;
    /** Where they may leave files, such as native libraries. */
    private static Path temporary;

    @BeforeAll
    static void copyClasses() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can start processes of other users");
        assumeTrue(Files.isExecutable(SETPRIV), "there is no " + SETPRIV + ", of util-linux");
        assumeTrue(Files.isDirectory(Path.of("/dev/shm")), "there is no /dev/shm");
        Process probe = as(SECOND_USER, List.of("test", "-x", JAVA.toString()));
        String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(probe.waitFor() == 0, "the user " + SECOND_USER + " cannot run " + JAVA + " " + said);
        classes = Files.createTempDirectory(Path.of("/tmp"), "warpcodec-second-user-");
        Set<Path> sources = new LinkedHashSet<>();
        for (Class<?> each : List.of(
                NodeService.class,
                SecondUser.class,
                LZ4Factory.class,
                Snappy.class,
                LoggerFactory.class,
                LoggerFactory.getILoggerFactory().getClass())) {
            sources.add(Path.of(
                    each.getProtectionDomain().getCodeSource().getLocation().toURI()));
        }
        List<String> parts = new ArrayList<>();
        for (Path source : sources) {
            Path copy = classes.resolve(Integer.toString(parts.size()));
            copy(source, copy);
            parts.add(copy.toString());
        }
        Files.setPosixFilePermissions(classes, PosixFilePermissions.fromString("rwxr-xr-x"));
        classPath = String.join(":", parts);
        temporary = Files.createDirectory(classes.resolve("temporary"));
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
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

    @AfterAll
    static void deleteClasses() throws IOException {
        if (classes != null) {
            delete(classes);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static Process as(String user, List<String> program) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                SETPRIV.toString(), "--reuid", user, "--regid", user, "--clear-groups", "--no-new-privs", "--"));
        command.addAll(program);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Process java(String user, Class<?> main, String... arguments) throws IOException {
        List<String> program = new ArrayList<>(List.of(
                JAVA.toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + temporary,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                classPath,
                main.getName()));
        program.addAll(List.of(arguments));
        return as(user, program);
    }

    /** The lines of a process that ends. */
    private static List<String> said(Process process) throws Exception {
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

    /** A folder as a service makes it, of a user. */
    private static Path folder(String user) throws IOException {
        Path folder = ServedNode.newFolder();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user));
        return folder;
    }

    @Test
    void aSecondUserReadsAndWritesNothingOfTheFirst() throws Exception {
        try (ScriptedNode node = ScriptedNode.openIn(folder(ROOT), 1, ScriptedGpu.smallLimits());
                RawClient first = RawClient.welcome(node.node().folder())) {
            Path folder = node.node().folder();
            // has its name still, which the second is told
            RawClient.Lent segment = first.segment();
            ByteBuffer memory = segment.memory();
            for (int at = 0; at < memory.capacity(); at++) {
                memory.put(at, SECRET);
            }
            List<String> said = said(java(
                    SECOND_USER,
                    SecondUser.class,
                    folder.toString(),
                    folder.relativize(segment.path()).toString(),
                    Integer.toString(segment.id())));
            assertThat(said)
                    .containsExactly(
                            "list segments: AccessDeniedException",
                            "read a segment: AccessDeniedException",
                            "write a segment: AccessDeniedException",
                            "list the service's descriptors: AccessDeniedException",
                            "list the service's mappings: AccessDeniedException",
                            "read the service's memory: AccessDeniedException",
                            "change a segment's permissions: FileSystemException",
                            "delete a segment: AccessDeniedException",
                            "move a segment: AccessDeniedException",
                            "make a segment: AccessDeniedException",
                            "make a file: AccessDeniedException",
                            "make a socket: BindException",
                            "delete the socket: AccessDeniedException",
                            "move the socket: AccessDeniedException",
                            "change the socket's permissions: FileSystemException",
                            "move the segments: AccessDeniedException",
                            "write the lock: AccessDeniedException",
                            "work in another's segment: segment " + segment.id() + " is not its own",
                            "ask how the service stands: its figures are for root and the user of the service",
                            "its segment is that of: " + nameOf(SECOND_USER),
                            "others may do with it: rw-------",
                            "what others have left there: 0",
                            "its work: x",
                            "the name of its segment: gone");
            for (int at = 0; at < memory.capacity(); at++) {
                if (memory.get(at) != SECRET) {
                    throw new AssertionError("byte " + at + " of the first user has changed");
                }
            }
            assertThat(Files.getOwner(segment.path()).getName()).isEqualTo(nameOf(ROOT));
            // the first is served as before
            assertThat(first.segment().id()).isNotEqualTo(segment.id());
        }
    }

    /** As this machine names a user. */
    private static String nameOf(String user) throws IOException {
        Path folder = folder(user);
        try {
            return Files.getOwner(folder).getName();
        } finally {
            Files.delete(folder);
        }
    }

    @Test
    void theServiceOfAnotherUserIsUsedByThoseAloneThatNameIt() throws Exception {
        Path folder = folder(SECOND_USER);
        String owner = nameOf(SECOND_USER);
        Process service = java(
                SECOND_USER,
                ScriptedServeMain.class,
                folder.toString(),
                "1",
                Integer.toString(3 * ScriptedNode.SEGMENT_BYTES));
        try (BufferedReader log =
                new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(log.readLine()).isEqualTo("serving");
            assertThat(said(java(ROOT, SecondUser.class, folder.toString(), "another")))
                    .hasSize(2)
                    .contains("is served: false")
                    .first()
                    .asString()
                    .endsWith("it is run by " + owner + ", a user that the setting node.users does not name");
            assertThat(said(java(ROOT, SecondUser.class, folder.toString(), owner)))
                    .containsExactly("is served: true");
            // a service that is not root's cannot give a segment away: its client alone knows the name
            assertThat(said(java(THIRD_USER, SecondUser.class, folder.toString(), owner)))
                    .containsExactly("is served: true");
            assertThat(said(java(SECOND_USER, SecondUser.class, folder.toString(), "another")))
                    .containsExactly("is served: true");
        } finally {
            service.getOutputStream().close();
            if (!service.waitFor(SECONDS, TimeUnit.SECONDS)) {
                service.destroyForcibly().waitFor();
            }
            delete(folder);
        }
    }
}
