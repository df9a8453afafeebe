package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.node.NodeProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose folder a service takes, whom it lets in, and what it does to what lies there. */
class NodeFolderTest {
    private static final String OTHER = "65534";

    private Path parent;
    private Path folder;

    @BeforeEach
    void make() throws IOException {
        parent = Files.createTempDirectory(Path.of("/dev/shm"), "warpcodec-test-");
        folder = parent.resolve("folder");
    }

    @AfterEach
    void delete() throws IOException {
        try (Stream<Path> left = Files.walk(parent)) {
            left.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        }
    }

    private void give(Path path) throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give files away");
        Files.setOwner(
                path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER));
    }

    private static void mode(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private void isRefused(String why) {
        assertThatThrownBy(() -> NodeFolder.open(folder, NodeGate.EVERYONE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aFolderOfAnotherUserIsRefused() throws Exception {
        Files.createDirectory(folder);
        give(folder);
        isRefused(folder + " belongs to");
        assertThat(folder.resolve("lock")).doesNotExist();
    }

    @Test
    void soIsOneInAFolderOfAnotherUser() throws Exception {
        Files.createDirectory(folder);
        give(parent);
        isRefused(parent + " belongs to");
    }

    @Test
    void soIsOneInAFolderThatOthersCanWrite() throws Exception {
        Files.createDirectory(folder);
        mode(parent, "rwxrwx---");
        isRefused(parent + " can be written by other users");
    }

    @Test
    void aLockThatIsALinkIsNotFollowed(@TempDir Path elsewhere) throws Exception {
        Files.createDirectory(folder);
        Path target = Files.createFile(elsewhere.resolve("target"));
        mode(target, "rw-r--r--");
        Files.createSymbolicLink(folder.resolve("lock"), target);
        assertThatThrownBy(() -> NodeFolder.open(folder, NodeGate.EVERYONE)).isInstanceOf(IOException.class);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(target)))
                .isEqualTo("rw-r--r--");
    }

    @Test
    void theFolderOfSegmentsOutlivesTheServiceAndIsEmptied() throws Exception {
        Object first;
        try (NodeFolder opened = NodeFolder.open(folder, NodeGate.EVERYONE)) {
            first = Files.readAttributes(opened.segments(), PosixFileAttributes.class)
                    .fileKey();
            Files.createFile(opened.segments().resolve("left"));
            Files.createFile(folder.resolve(NodeProtocol.STUCK));
        }
        try (NodeFolder opened = NodeFolder.open(folder, NodeGate.EVERYONE)) {
            PosixFileAttributes segments = Files.readAttributes(opened.segments(), PosixFileAttributes.class);
            assertThat(segments.fileKey()).isEqualTo(first);
            assertThat(PosixFilePermissions.toString(segments.permissions())).isEqualTo("rwx--x--x");
            assertThat(opened.segments()).isEmptyDirectory();
            assertThat(folder.resolve(NodeProtocol.STUCK)).doesNotExist();
        }
    }

    @Test
    void aLinkInItsPlaceIsNotFollowed(@TempDir Path elsewhere) throws Exception {
        Files.createDirectory(folder);
        Path kept = Files.createFile(elsewhere.resolve("kept"));
        Files.createSymbolicLink(folder.resolve(NodeProtocol.SEGMENTS), elsewhere);
        try (NodeFolder opened = NodeFolder.open(folder, NodeGate.EVERYONE)) {
            assertThat(Files.isDirectory(opened.segments(), LinkOption.NOFOLLOW_LINKS))
                    .isTrue();
            assertThat(kept).exists();
        }
    }

    private String opened(NodeGate gate) throws IOException {
        try (NodeFolder opened = NodeFolder.open(folder, gate)) {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(opened.path()));
        }
    }

    @Test
    void theGateIsItsMode() throws Exception {
        Files.createDirectory(folder);
        mode(folder, "rwxr-xr-x");
        String own =
                Files.readAttributes(folder, PosixFileAttributes.class).group().getName();
        assertThat(opened(NodeGate.of(own))).isEqualTo("rwx--x---");
        assertThat(opened(NodeGate.EVERYONE)).isEqualTo("rwx--x--x");
        assertThat(opened(NodeGate.USUAL)).isIn("rwx------", "rwx--x---");
        assertThatThrownBy(() -> NodeFolder.open(folder, NodeGate.of("no-such-group")))
                .hasMessageContaining("there is no group no-such-group");
    }

    @Test
    void theFolderIsGivenToTheGroupThatIsNamed() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can give files away");
        assertThat(opened(NodeGate.of(OTHER))).isEqualTo("rwx--x---");
        assertThat(Files.getAttribute(folder, "unix:gid")).isEqualTo(Integer.parseInt(OTHER));
    }
}
