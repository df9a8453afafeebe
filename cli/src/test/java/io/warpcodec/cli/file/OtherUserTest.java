package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolProcess;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.verb.RecompressTest;
import io.warpcodec.cli.verb.SplitNotice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of other users, and folders that this one may not read. Needs root, which may give files away; a call without
 * the rights of root is root's without its capabilities, as {@code setpriv} starts it. Skipped for other users.
 */
class OtherUserTest {

    private static final byte[] RAW = Samples.text(20_000);

    @TempDir
    Path folder;

    @BeforeEach
    void needRoot() {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root may give files away");
    }

    @AfterEach
    void letTheFolderBeDeleted() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path ofAnotherUser(String name, String permissions) throws IOException {
        Path file = Files.write(folder.resolve(name), RAW);
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        var users = file.getFileSystem().getUserPrincipalLookupService();
        view.setPermissions(PosixFilePermissions.fromString(permissions));
        view.setOwner(users.lookupPrincipalByName("65534"));
        view.setGroup(users.lookupPrincipalByGroupName("65534"));
        return file;
    }

    private static String modeAndIds(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file)) + " "
                + Files.getAttribute(file, "unix:uid") + ":" + Files.getAttribute(file, "unix:gid");
    }

    private record Call(int exit, String err) {}

    /**
     * A call in a process of its own, of root without the capabilities that let root pass by permissions and owners.
     */
    private Call powerless(Object... words) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--bounding-set", "-dac_override,-dac_read_search,-chown,-fowner"));
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        command.addAll(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(ToolProcess.moduleOptions());
        command.addAll(List.of("-cp", classPath, "io.warpcodec.cli.Main"));
        for (Object word : words) {
            command.add(word.toString());
        }
        Path err = Files.createTempFile("warpcodec", ".err");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(err.toFile())
                    .start();
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
            String text = Files.readString(err, StandardCharsets.UTF_8);
            Assumptions.assumeFalse(text.startsWith("setpriv:"), text);
            return new Call(process.exitValue(), text);
        } catch (IOException noSetpriv) {
            Assumptions.abort("there is no setpriv");
            throw noSetpriv;
        } finally {
            Files.delete(err);
        }
    }

    @Test
    void ownerGroupPermissionsAndAttributesAreKept() throws IOException {
        Path file = ofAnotherUser("a", "rw-r-----");
        Files.getFileAttributeView(file, UserDefinedFileAttributeView.class)
                .write("origin", StandardCharsets.UTF_8.encode("here"));
        assertThat(ToolRun.of("compress", file).complaints()).isEmpty();
        Path output = folder.resolve("a.gz");
        assertThat(modeAndIds(output)).isEqualTo("rw-r----- 65534:65534");
        assertThat(Files.getFileAttributeView(output, UserDefinedFileAttributeView.class)
                        .list())
                .containsExactly("origin");
        assertThat(ToolRun.of("recompress", "--format", "zstd", output).complaints())
                .isEmpty();
        assertThat(modeAndIds(folder.resolve("a.zst"))).isEqualTo("rw-r----- 65534:65534");
    }

    /** Members of the lost group get what they had in common with all others, and the other way round. */
    @Test
    void anOwnerThatCannotBeKeptIsNamedAndNoOtherUserGainsAccess() throws Exception {
        Path file = ofAnotherUser("a", "rw-r--rw-");
        Call call = powerless("compress", file);
        assertThat(call.exit()).as(call.err()).isZero();
        assertThat(call.err()).contains("a.gz: cannot keep ").contains("owner ").contains("group ");
        assertThat(modeAndIds(folder.resolve("a.gz"))).isEqualTo("rw-r--r-- 0:0");
        assertThat(file).doesNotExist();
    }

    /**
     * An ACL with an entry for a user, as the kernel stores it: version 2, then tag, permissions and id of each entry.
     */
    private void putAcl(Path path, String attribute) throws IOException, InterruptedException {
        String entries = "pack('<I',2)+b''.join(pack('<HHI',*e) for e in "
                + "((1,6,-1&0xffffffff),(2,4,65533),(4,0,-1&0xffffffff),(16,4,-1&0xffffffff),(32,0,-1&0xffffffff)))";
        String script = "import os,sys;from struct import pack;os.setxattr(sys.argv[1],sys.argv[2]," + entries + ")";
        try {
            Process python = new ProcessBuilder("python3", "-c", script, path.toString(), attribute)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Assumptions.assumeTrue(python.waitFor() == 0, "python3 cannot set an ACL here");
        } catch (IOException noPython) {
            Assumptions.abort("there is no python3");
        }
    }

    /** Its group's permissions, which ls shows, are those of user 65533; the group itself has none. */
    @Test
    void aLocalAclThatCannotBeKeptLeavesOnlyTheOwner() throws Exception {
        Path file = Files.write(folder.resolve("a"), RAW);
        putAcl(file, "system.posix_acl_access");
        assertThat(modeAndIds(file)).startsWith("rw-r-----");
        ToolRun run = ToolRun.of("compress", file);
        assertThat(run.exit()).isZero();
        assertThat(run.err()).contains("a.gz: cannot keep access control list");
        assertThat(modeAndIds(folder.resolve("a.gz"))).startsWith("rw-------");
    }

    @Test
    void aLocalFoldersDefaultAclGivesNothingAway() throws Exception {
        Path file = Files.write(folder.resolve("a"), RAW);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        putAcl(folder, "system.posix_acl_default");
        assertThat(ToolRun.of("compress", file).exit()).isZero();
        assertThat(modeAndIds(folder.resolve("a.gz"))).startsWith("rw-------");
    }

    @Test
    void aFolderThatMayBeWrittenButNotReadIsEnough() throws Exception {
        Path file = Files.write(folder.resolve("a"), RAW);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("-wx------"));
        Call call = powerless("compress", file);
        assertThat(call.err()).isEmpty();
        assertThat(call.exit()).isZero();
        assertThat(file).doesNotExist();
        assertThat(ToolRun.of("decompress", "-c", folder.resolve("a.gz")).out()).isEqualTo(RAW);
    }

    @Test
    void aFolderThatCannotBeReadFailsAlone() throws Exception {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Path inside = Files.write(closed.resolve("c.gz"), RecompressTest.plainGzip(RAW));
        Files.write(folder.resolve("a.gz"), RecompressTest.plainGzip(RAW));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Call call = powerless("recompress", "--format", "zstd", folder);
        assertThat(call.exit()).isEqualTo(1);
        assertThat(call.err().lines())
                .containsExactly("warpcodec: " + closed + ": permission denied", "warpcodec: " + SplitNotice.TEXT);
        assertThat(folder.resolve("a.zst")).exists();
        assertThat(inside).exists();
    }
}
