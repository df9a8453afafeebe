package io.warpcodec.engine.gpu.node.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A service of an ordinary account without a capability, as YARN's is, and tasks of two other accounts, each a process:
 * both are served, and neither gets at the memory of the other. Needs root, to be other users.
 */
@Timeout(240)
public class ClientMemoryTest {
    private static final String SERVICE = "65532";
    private static final String FIRST = "65533";
    private static final String SECOND = "65534";
    private static final String NOT_ITS_OWN = "no file of its own, of " + ScriptedNode.SEGMENT_BYTES + " bytes";

    private static UserJava processes;

    private Path folder;
    private Process service;

    @BeforeAll
    static void copyClasses() throws Exception {
        processes = UserJava.with(SERVICE);
    }

    @AfterAll
    static void deleteClasses() throws IOException {
        if (processes != null) {
            processes.close();
        }
    }

    @BeforeEach
    void serve() throws Exception {
        folder = UserJava.folder(SERVICE);
        start();
    }

    /**
     * The main class of the service, with arguments as {@link ScriptedServeMain}: it says "serving" when it does, and
     * ends when its standard input does.
     */
    protected Class<?> service() {
        return ScriptedServeMain.class;
    }

    private void start() throws IOException {
        service = processes.start(
                SERVICE, service(), folder.toString(), "1", Integer.toString(3 * ScriptedNode.SEGMENT_BYTES));
        assertThat(service.inputReader().lines().anyMatch("serving"::equals)).isTrue();
    }

    @AfterEach
    void end() throws Exception {
        UserJava.end(service);
        UserJava.delete(folder);
    }

    private Process begin(String user, String... more) throws IOException {
        String[] arguments = new String[1 + more.length];
        arguments[0] = folder.toString();
        System.arraycopy(more, 0, arguments, 1, more.length);
        return processes.start(user, ClientMemory.class, arguments);
    }

    private static void goOn(Process task) throws IOException {
        task.getOutputStream().write('\n');
        task.getOutputStream().close();
    }

    @Test
    void tasksOfTwoOtherAccountsAreServedAndNeitherGetsAtTheOthersMemory() throws Exception {
        Process first = begin(FIRST);
        BufferedReader said = first.inputReader();
        String name = said.readLine();
        assertThat(UserJava.said(begin(SECOND, name)))
                .containsExactly(
                        "list: AccessDeniedException",
                        "read: AccessDeniedException",
                        "write: AccessDeniedException",
                        "change its permissions: FileSystemException",
                        "delete: FileSystemException",
                        "move: FileSystemException",
                        "link: FileSystemException",
                        "name as its own: " + NOT_ITS_OWN,
                        "name a link as its own: " + NOT_ITS_OWN,
                        "name the lock: a file that is named otherwise than segments are",
                        "name a short one: " + NOT_ITS_OWN,
                        "name one that has two names: " + NOT_ITS_OWN,
                        "name none: its file for memory cannot be opened");
        Process second = begin(SECOND);
        assertThat(second.inputReader().readLine()).hasSize(32).isNotEqualTo(name);
        goOn(second);
        assertThat(second.inputReader().lines()).containsExactly("its work: x", "its name: gone");
        goOn(first);
        assertThat(said.lines()).containsExactly("its work: x", "its name: gone");
    }

    /** Has a lease on its file, so that the service's opening takes 45 s. */
    private static final String LEASES = """
            import fcntl, os, signal, socket, struct, sys, time
            signal.signal(signal.SIGIO, signal.SIG_IGN)
            name = "a" * 32
            size = int(sys.argv[2])
            file = os.open(sys.argv[1] + "/segments/" + name, os.O_RDWR | os.O_CREAT, 0o660)
            os.fchmod(file, 0o660)
            os.truncate(file, size)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            def string(text):
                return struct.pack("<h", len(text)) + text.encode()
            def message(kind, fields):
                return struct.pack("<ib", 1 + len(fields), kind) + fields
            client = socket.socket(socket.AF_UNIX)
            client.connect(sys.argv[1] + "/socket")
            hello = struct.pack("<ii", 0x534e5057, int(sys.argv[3])) + string("leases")
            client.sendall(message(1, hello) + message(2, string(name)))
            while os.path.exists(sys.argv[1] + "/segments/" + name):
                time.sleep(0.01)
            print("named", flush=True)
            sys.stdin.read()
            """;

    @Test
    void aFileThatTakesLongToOpenKeepsItsOwnClientWaitingAlone() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "there is no python3: Java cannot take leases");
        Process leases = UserJava.as(
                FIRST,
                List.of(
                        "/usr/bin/python3",
                        "-c",
                        LEASES,
                        folder.toString(),
                        Integer.toString(ScriptedNode.SEGMENT_BYTES),
                        Integer.toString(NodeProtocol.VERSION)));
        try {
            assertThat(leases.inputReader().readLine()).isEqualTo("named");
            long begun = System.nanoTime();
            ourClientMakesItsFileByItself();
            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(30));
        } finally {
            leases.destroyForcibly().waitFor();
        }
    }

    /** A client of ours, and one of the service's own account, whose memory is made ahead. */
    @Test
    void ourClientMakesItsFileByItself() throws Exception {
        for (String user : List.of(FIRST, SECOND, SERVICE)) {
            assertThat(UserJava.said(processes.start(user, SecondUser.class, folder.toString(), SERVICE)))
                    .as(user)
                    .containsExactly("is served: true");
        }
    }

    /** The folder stays as it was; what is in it goes, but for what only its owner can delete. */
    @Test
    void theNextServiceTakesTheFolderAgain() throws Exception {
        Path segments = folder.resolve(NodeProtocol.SEGMENTS);
        assertThat((int) Files.getAttribute(segments, "unix:mode") & 07777).isEqualTo(03733);
        assertThat(Files.getAttribute(segments, "unix:gid")).isEqualTo(Integer.parseInt(SERVICE));
        UserJava.kill(service);
        Set<Path> before = names(segments);
        // as a kill leaves it between the two steps of taking a client's file
        Path taken = before.stream()
                .filter(name -> name.getFileName().toString().startsWith("taken-"))
                .findFirst()
                .orElseThrow();
        Files.setAttribute(Files.createFile(taken.resolve("1")), "unix:uid", Integer.parseInt(FIRST));
        Path left = Files.createFile(segments.resolve("left"));
        Path theirs = Files.createDirectory(segments.resolve("taken-theirs"));
        Files.createFile(theirs.resolve("file"));
        start();
        assertThat(left).doesNotExist();
        assertThat(theirs.resolve("file")).exists();
        assertThat(names(segments)).doesNotContainAnyElementsOf(before);
        ourClientMakesItsFileByItself();
    }

    private static Set<Path> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            Set<Path> names = files.collect(Collectors.toSet());
            assertThat(names).isNotEmpty();
            return names;
        }
    }
}
