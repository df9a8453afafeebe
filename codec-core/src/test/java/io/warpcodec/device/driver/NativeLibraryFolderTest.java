package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativeLibraryFolderTest {
    private static final String NAME = "libthing.so";

    @TempDir
    private Path parent;

    private final byte[] content = new byte[100_000];

    @BeforeEach
    void fill() {
        new Random(5).nextBytes(content);
        assumeTrue(
                parent.getFileSystem().supportedFileAttributeViews().contains("posix"),
                "file system without POSIX permissions");
    }

    @Test
    void onlyTheOwnerMayEnter() throws IOException {
        Path folder = NativeLibraryFolder.below(parent).path();
        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(folder.getParent()).isEqualTo(parent);
    }

    @Test
    void theSameFolderIsUsedAgain() throws IOException {
        Path first = NativeLibraryFolder.below(parent).path();
        assertThat(NativeLibraryFolder.below(parent).path()).isEqualTo(first);
        assertThat(first).isEmptyDirectory();
    }

    @Test
    void aFolderThatOthersMayEnterIsNotUsed() throws IOException {
        Path open = NativeLibraryFolder.below(parent).path();
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path other = NativeLibraryFolder.below(parent).path();
        assertThat(other).isNotEqualTo(open);
        assertThat(mode(other)).isEqualTo("rwx------");
    }

    @Test
    void aLinkInTheFoldersPlaceIsNotFollowed() throws IOException {
        Path expected = NativeLibraryFolder.below(parent).path();
        Files.delete(expected);
        Path elsewhere = Files.createDirectory(
                parent.resolve("elsewhere"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createSymbolicLink(expected, elsewhere);
        Path used = NativeLibraryFolder.below(parent).path();
        assertThat(used).isNotEqualTo(expected);
        assertThat(Files.isSymbolicLink(used)).isFalse();
    }

    @Test
    void aMissingFileIsWritten() throws IOException {
        Path file = NativeLibraryFolder.below(parent).place(NAME, content);
        assertThat(file).isAbsolute().hasBinaryContent(content);
        assertThat(filesIn(file.getParent())).containsExactly(NAME);
    }

    @Test
    void aTruncatedLeftoverIsReplacedByANewFile() throws IOException {
        NativeLibraryFolder folder = NativeLibraryFolder.below(parent);
        Path leftover = folder.path().resolve(NAME);
        Files.write(leftover, Arrays.copyOf(content, 4096));
        Object inode = inode(leftover);
        Path file = folder.place(NAME, content);
        assertThat(file).hasBinaryContent(content);
        assertThat(inode(file))
                .as("never written in place: another JVM may have it mapped")
                .isNotEqualTo(inode);
        assertThat(filesIn(folder.path())).containsExactly(NAME);
    }

    @Test
    void aLeftoverOfTheRightSizeWithAWrongByteIsReplaced() throws IOException {
        NativeLibraryFolder folder = NativeLibraryFolder.below(parent);
        byte[] wrong = content.clone();
        wrong[77_777] ^= 1;
        Files.write(folder.path().resolve(NAME), wrong);
        assertThat(folder.place(NAME, content)).hasBinaryContent(content);
    }

    @Test
    void aLinkInTheFilesPlaceIsReplacedAndItsTargetLeftAlone() throws IOException {
        NativeLibraryFolder folder = NativeLibraryFolder.below(parent);
        Path target = Files.write(parent.resolve("target"), content);
        Files.createSymbolicLink(folder.path().resolve(NAME), target);
        Path file = folder.place(NAME, content);
        assertThat(Files.isSymbolicLink(file)).isFalse();
        assertThat(target).hasBinaryContent(content);
    }

    @Test
    void aRightFileIsLeftAlone() throws IOException {
        NativeLibraryFolder folder = NativeLibraryFolder.below(parent);
        Object inode = inode(folder.place(NAME, content));
        assertThat(inode(folder.place(NAME, content))).isEqualTo(inode);
    }

    @Test
    void manyAtOnceAllGetACompleteFile() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Path>> placed = IntStream.range(0, 32)
                    .mapToObj(i -> threads.submit(
                            () -> NativeLibraryFolder.below(parent).place(NAME, content)))
                    .toList();
            for (Future<Path> file : placed) {
                assertThat(file.get()).hasBinaryContent(content);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(filesIn(NativeLibraryFolder.below(parent).path())).containsExactly(NAME);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static Object inode(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
