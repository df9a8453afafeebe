package io.warpcodec.engine.gpu.node.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.node.RawClient;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Users of one service, as processes of their own: none can read or write what is another's, and no service of a user
 * that is not trusted is used. Needs root, to be other users.
 */
class SecondUserTest {
    private static final String ROOT = "0";
    private static final String SECOND_USER = "65534";
    private static final String THIRD_USER = "65533";
    private static final byte SECRET = 's';
    private static UserJava processes;

    @BeforeAll
    static void copyClasses() throws Exception {
        processes = UserJava.with(SECOND_USER);
    }

    @AfterAll
    static void deleteClasses() throws IOException {
        if (processes != null) {
            processes.close();
        }
    }

    @Test
    void aSecondUserReadsAndWritesNothingOfTheFirst() throws Exception {
        try (ScriptedNode node = ScriptedNode.openIn(UserJava.folder(ROOT), 1, ScriptedGpu.smallLimits());
                RawClient first = RawClient.welcome(node.node().folder())) {
            Path folder = node.node().folder();
            // has its name still, which the second is told
            RawClient.Lent segment = first.segment();
            ByteBuffer memory = segment.memory();
            for (int at = 0; at < memory.capacity(); at++) {
                memory.put(at, SECRET);
            }
            List<String> said = UserJava.said(processes.start(
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
        Path folder = UserJava.folder(user);
        try {
            return Files.getOwner(folder).getName();
        } finally {
            Files.delete(folder);
        }
    }

    @Test
    void theServiceOfAnotherUserIsUsedByThoseAloneThatNameIt() throws Exception {
        Path folder = UserJava.folder(SECOND_USER);
        String owner = nameOf(SECOND_USER);
        Process service = processes.start(
                SECOND_USER,
                ScriptedServeMain.class,
                folder.toString(),
                "1",
                Integer.toString(3 * ScriptedNode.SEGMENT_BYTES));
        try (BufferedReader log =
                new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(log.readLine()).isEqualTo("serving");
            assertThat(UserJava.said(processes.start(ROOT, SecondUser.class, folder.toString(), "another")))
                    .hasSize(2)
                    .contains("is served: false")
                    .first()
                    .asString()
                    .endsWith("it is run by " + owner + ", a user that the setting node.users does not name");
            assertThat(UserJava.said(processes.start(ROOT, SecondUser.class, folder.toString(), owner)))
                    .containsExactly("is served: true");
            // a service that is not root's cannot give a segment away: its client makes the file
            assertThat(UserJava.said(processes.start(THIRD_USER, SecondUser.class, folder.toString(), owner)))
                    .containsExactly("is served: true");
            assertThat(UserJava.said(processes.start(SECOND_USER, SecondUser.class, folder.toString(), "another")))
                    .containsExactly("is served: true");
        } finally {
            UserJava.end(service);
            UserJava.delete(folder);
        }
    }
}
