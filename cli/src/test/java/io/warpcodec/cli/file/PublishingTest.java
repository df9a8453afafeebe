package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.file.system.FileAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every access of compress, decompress, recompress and index to a file system fails, stops halfway, answers false or
 * is overtaken by another process, once each. A build takes every n-th case of the enumeration,
 * {@code -Dwarpcodec.test.publishing.stride=1} takes all.
 */
class PublishingTest {

    /** A prime, so that no fault and no access is left out by every call. */
    private static final int STRIDE = Integer.getInteger("warpcodec.test.publishing.stride", 101);

    private static final int HDFS_STRIDE =
            Integer.getInteger("warpcodec.test.publishing.hdfs.stride", STRIDE == 1 ? 1 : 2 * STRIDE);

    /**
     * A build takes every third call on HDFS, where each access is looked at by calls to the name node: half a minute
     * for all.
     */
    private static final int HDFS_CALL_STRIDE =
            STRIDE == 1 || Integer.getInteger("warpcodec.test.publishing.hdfs.stride") != null ? 1 : 3;

    /**
     * Which case is the first: n processes with a stride of n, each with a first case of its own, take all together.
     */
    private static final int FIRST = Integer.getInteger("warpcodec.test.publishing.first", 0);

    /** The label of the only call to disturb; all unless told. */
    private static final String CALL = System.getProperty("warpcodec.test.publishing.call");

    private static final Set<PosixFilePermission> OWNER_AND_GROUP = PosixFilePermissions.fromString("rw-r-----");

    @TempDir
    Path folder;

    @BeforeAll
    static void addFileSystem() {
        Configuration.addDefaultResource("publishing-harness.xml");
    }

    @AfterEach
    void release() {
        SteppedFiles.release();
    }

    /** Looks at a folder as another user and as the tool's. */
    private record Watching(Check permissions, Check stranger, Check attributes) implements PublishingHarness.Watch {

        /** Names a file that is open to others, or null. */
        interface Check {
            Object open() throws IOException;
        }

        @Override
        public String glance() throws IOException {
            return says("wider permissions: ", permissions);
        }

        @Override
        public String inspect() throws IOException {
            String found = says("another user can open ", stranger);
            return found != null ? found : says("wider attributes: ", attributes);
        }

        private static String says(String what, Check check) throws IOException {
            Object open = check.open();
            return open == null ? null : what + open;
        }
    }

    private static void disturbAll(
            String name,
            String uri,
            int callStride,
            int stride,
            List<String> acl,
            Watching.Check permissions,
            Watching.Check stranger)
            throws IOException {
        Arena<?> arena = Arena.at(uri);
        FileAttributes attributes = arena.attributesWith(OWNER_AND_GROUP, acl);
        PublishingHarness harness = new PublishingHarness(
                arena, attributes, new Watching(permissions, stranger, () -> arena.widerThan(attributes)), FIRST);
        List<Scenario> all = CALL == null ? Scenario.all() : List.of(Scenario.labelled(CALL));
        List<Scenario> calls = IntStream.iterate(0, i -> i < all.size(), i -> i + callStride)
                .mapToObj(all::get)
                .toList();
        for (Scenario call : calls) {
            harness.disturb(call, stride);
        }
        System.out.println("publishing harness, " + name + ": " + calls.size() + " calls of "
                + harness.accesses() + " accesses, " + harness.cases() + " disturbed (every " + stride + " from "
                + FIRST + "), "
                + harness.wrong().size() + " wrong");
        assertThat(harness.wrong()).isEmpty();
        assertThat(harness.cases()).isPositive();
    }

    private void disturbLocally(String name, String scheme) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path files = Files.createDirectory(folder.resolve(name));
        try (SecondUser user = SecondUser.orNull()) {
            disturbAll(
                    name,
                    scheme + files,
                    1,
                    STRIDE,
                    List.of(),
                    () -> firstWithMore(files),
                    () -> user == null ? null : user.firstOpenBelow(files));
        }
    }

    private static Path firstWithMore(Path files) throws IOException {
        try (Stream<Path> all = Files.walk(files)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (!OWNER_AND_GROUP.containsAll(Files.getPosixFilePermissions(file))) {
                    return file;
                }
            }
        }
        return null;
    }

    @Test
    void localFiles() throws IOException {
        disturbLocally("local", "");
    }

    @Test
    void aFileSystemWhoseRenameIsACopy() throws IOException {
        disturbLocally("copying", CopyRenameFileSystem.SCHEME + "://");
    }

    @Test
    void hdfs() throws IOException {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        try (MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            cluster.waitClusterUp();
            FileSystem hers =
                    as(UserGroupInformation.createUserForTesting("mallory", new String[] {"others"}), cluster);
            FileSystem ours = cluster.getFileSystem();
            org.apache.hadoop.fs.Path place = new org.apache.hadoop.fs.Path("/harness");
            disturbAll(
                    "hdfs",
                    cluster.getURI() + "/harness",
                    HDFS_CALL_STRIDE,
                    HDFS_STRIDE,
                    List.of("user:carol:r--", "group::r--"),
                    () -> firstForOthers(ours, place),
                    () -> firstOpen(hers, ours, place));
        }
    }

    private static Object firstForOthers(FileSystem files, org.apache.hadoop.fs.Path place) throws IOException {
        for (FileStatus status : files.listStatus(place)) {
            if (status.isFile() && status.getPermission().getOtherAction() != FsAction.NONE) {
                return status.getPath();
            }
        }
        return null;
    }

    private static FileSystem as(UserGroupInformation user, MiniDFSCluster cluster) throws IOException {
        try {
            return user.doAs((PrivilegedExceptionAction<FileSystem>)
                    () -> FileSystem.newInstance(cluster.getURI(), cluster.getConfiguration(0)));
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    /** Asks the name node for each file whether the other user may read it. */
    private static Object firstOpen(FileSystem hers, FileSystem ours, org.apache.hadoop.fs.Path place)
            throws IOException {
        for (FileStatus status : ours.listStatus(place)) {
            try {
                if (status.isFile()) {
                    hers.access(status.getPath(), FsAction.READ);
                    return status.getPath();
                }
            } catch (AccessControlException refused) {
                // as it should be
            }
        }
        return null;
    }
}
