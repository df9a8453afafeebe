package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.verb.RecompressTest;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of HDFS: what they belong to stays, and a file takes another one's place in one step. */
class HdfsFilesTest {

    private static final byte[] RAW = Samples.text(50_000);
    private static final long LONG_AGO = 1_000_000_000_000L;
    private static final Path FOLDER = new Path("/data");

    @TempDir
    static java.nio.file.Path scratch;

    private static MiniDFSCluster cluster;
    private static DistributedFileSystem hdfs;

    @BeforeAll
    static void start() throws IOException {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, scratch.toString());
        conf.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).format(true).build();
        hdfs = cluster.getFileSystem();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.shutdown(true);
        }
    }

    @BeforeEach
    void clear() throws IOException {
        hdfs.delete(FOLDER, true);
        hdfs.mkdirs(FOLDER);
    }

    private static Path file(String name, byte[] bytes) throws IOException {
        Path path = new Path(FOLDER, name);
        try (var out = hdfs.create(path)) {
            out.write(bytes);
        }
        return path;
    }

    private static String uri(Path path) {
        return cluster.getURI() + path.toUri().getPath();
    }

    private static byte[] decoded(Path path) {
        return ToolRun.of("decompress", "-c", uri(path)).out();
    }

    private static List<String> names() throws IOException {
        return Arrays.stream(hdfs.listStatus(FOLDER))
                .map(status -> status.getPath().getName())
                .sorted()
                .toList();
    }

    private static void makePrivate(Path file) throws IOException {
        hdfs.setPermission(file, new FsPermission((short) 0640));
        hdfs.modifyAclEntries(file, AclEntry.parseAclSpec("user:bob:r--", true));
        hdfs.setXAttr(file, "user.origin", new byte[] {7});
        hdfs.setOwner(file, "alice", "hr");
        hdfs.setTimes(file, LONG_AGO, -1);
    }

    private static void assertPrivate(Path file) throws IOException {
        FileStatus status = hdfs.getFileStatus(file);
        assertThat(status.getOwner() + ":" + status.getGroup()).isEqualTo("alice:hr");
        assertThat(status.getPermission().toShort()).isEqualTo((short) 0640);
        assertThat(hdfs.getAclStatus(file).getEntries())
                .containsExactlyInAnyOrderElementsOf(AclEntry.parseAclSpec("user:bob:r--,group::r--", true));
        assertThat(hdfs.getXAttrs(file)).containsOnly(Map.entry("user.origin", new byte[] {7}));
        assertThat(status.getModificationTime()).isEqualTo(LONG_AGO);
    }

    @Test
    void ownerGroupPermissionsAclAttributesAndTimeAreKept() throws IOException {
        Path inPlace = file("a.gz", RecompressTest.plainGzip(RAW));
        Path other = file(
                "b.bz2", ToolRun.fed(RAW, "compress", "--format", "bzip2", "-").out());
        makePrivate(inPlace);
        makePrivate(other);
        assertThat(ToolRun.of("recompress", "--format", "gzip", uri(FOLDER)).complaints())
                .isEmpty();
        assertThat(names()).containsExactly("a.gz", "b.gz");
        assertPrivate(inPlace);
        assertPrivate(new Path(FOLDER, "b.gz"));
        assertThat(decoded(inPlace)).isEqualTo(RAW);
        assertThat(ToolRun.of("decompress", uri(inPlace)).complaints()).isEmpty();
        assertPrivate(new Path(FOLDER, "a"));
    }

    @Test
    void anIndexIsReadByThoseOnlyWhoReadItsFile() throws IOException {
        Path file = file("c.gz", RecompressTest.plainGzip(Samples.text(700_000)));
        makePrivate(file);
        assertThat(ToolRun.of("index", "--spacing", 10_000, uri(file)).complaints())
                .isEmpty();
        FileStatus index = hdfs.getFileStatus(new Path(FOLDER, ".c.gz.wci"));
        assertThat(index.getOwner() + ":" + index.getGroup()).isEqualTo("alice:hr");
        assertThat(index.getPermission().toShort()).isEqualTo((short) 0640);
    }

    /** A folder's default ACL must not come to life on a file that had none. */
    @Test
    void whatTheFolderWouldGiveIsNotAdded() throws IOException {
        hdfs.modifyAclEntries(FOLDER, AclEntry.parseAclSpec("default:user:eve:rwx", true));
        Path file = file("a.gz", RecompressTest.plainGzip(RAW));
        hdfs.removeAcl(file);
        hdfs.setPermission(file, new FsPermission((short) 0640));
        assertThat(ToolRun.of("recompress", "--format", "gzip", uri(file)).complaints())
                .isEmpty();
        assertThat(hdfs.getAclStatus(file).getEntries()).isEmpty();
        assertThat(hdfs.getFileStatus(file).getPermission().toShort()).isEqualTo((short) 0640);
    }

    /**
     * A user that may not give files away: the output can be read by no user that cannot read the input, and the loss
     * is said.
     */
    @Test
    void anOwnerThatCannotBeKeptIsNamedAndNoOtherUserGainsAccess() throws Exception {
        Path file = file("a.gz", RecompressTest.plainGzip(RAW));
        hdfs.setPermission(FOLDER, new FsPermission((short) 0777));
        hdfs.setPermission(file, new FsPermission((short) 0644));
        hdfs.modifyAclEntries(file, AclEntry.parseAclSpec("user:bob:---", true));
        hdfs.setOwner(file, "alice", "hr");
        UserGroupInformation carol = UserGroupInformation.createUserForTesting("carol", new String[] {"sales"});
        ToolRun run = carol.doAs(
                (PrivilegedExceptionAction<ToolRun>) () -> ToolRun.of("recompress", "--format", "gzip", uri(file)));
        assertThat(run.exit()).isZero();
        assertThat(run.err()).contains("cannot keep group hr, owner alice, access control list");
        FileStatus status = hdfs.getFileStatus(file);
        assertThat(status.getOwner()).isEqualTo("carol");
        assertThat(status.getPermission().toShort()).isEqualTo((short) 0600);
    }

    @Test
    void aNameThatIsTakenMeanwhileIsNotReplaced() throws IOException {
        Path file = file("a.gz", RecompressTest.plainGzip(RAW));
        byte[] theirs = {1, 2, 3};
        file("a.zst", theirs);
        assertThat(ToolRun.of("recompress", "--format", "zstd", uri(file)).exit())
                .isEqualTo(2);
        assertThat(hdfs.getFileStatus(new Path(FOLDER, "a.zst")).getLen()).isEqualTo(theirs.length);
        assertThat(decoded(file)).isEqualTo(RAW);
    }

    @Test
    void aNewFolderIsAsPrivateAsTheOneThatItStandsFor() throws IOException {
        file("tree/private/x.gz", RecompressTest.plainGzip(RAW));
        Path tree = new Path(FOLDER, "tree");
        Path secret = new Path(tree, "private");
        hdfs.setPermission(tree, new FsPermission((short) 0750));
        hdfs.setPermission(secret, new FsPermission((short) 0700));
        hdfs.setOwner(secret, "alice", "hr");
        Path out = new Path(FOLDER, "out");
        assertThat(ToolRun.of("recompress", "--format", "zstd", "-o", uri(out), uri(tree))
                        .complaints())
                .isEmpty();
        assertThat(hdfs.getFileStatus(out).getPermission().toShort()).isEqualTo((short) 0750);
        FileStatus made = hdfs.getFileStatus(new Path(out, "private"));
        assertThat(made.getPermission().toShort()).isEqualTo((short) 0700);
        assertThat(made.getOwner() + ":" + made.getGroup()).isEqualTo("alice:hr");
    }

    @Test
    void namesWithSignsOfUrisMeanThemselves() throws IOException {
        file("x#1.gz", RecompressTest.plainGzip(RAW));
        file("a%20b.gz", RecompressTest.plainGzip(RAW));
        file("q?.gz", RecompressTest.plainGzip(RAW));
        Path x = file("x", new byte[] {1});
        assertThat(ToolRun.of("recompress", "--format", "zstd", uri(FOLDER)).complaints())
                .isEmpty();
        assertThat(names()).containsExactly("a%20b.zst", "q?.zst", "x", "x#1.zst");
        assertThat(hdfs.getFileStatus(x).getLen()).isEqualTo(1);
    }

    @Test
    void aFolderThatCannotBeReadFailsAlone() throws Exception {
        file("deep/b.gz", RecompressTest.plainGzip(RAW));
        file("closed/c.gz", RecompressTest.plainGzip(RAW));
        hdfs.setPermission(FOLDER, new FsPermission((short) 0777));
        hdfs.setPermission(new Path(FOLDER, "deep"), new FsPermission((short) 0777));
        hdfs.setPermission(new Path(FOLDER, "closed"), new FsPermission((short) 0700));
        UserGroupInformation carol = UserGroupInformation.createUserForTesting("carol", new String[] {"sales"});
        ToolRun run = carol.doAs(
                (PrivilegedExceptionAction<ToolRun>) () -> ToolRun.of("recompress", "--format", "zstd", uri(FOLDER)));
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("/data/closed: permission denied");
        assertThat(hdfs.exists(new Path(FOLDER, "deep/b.zst"))).isTrue();
    }

    @Test
    void aLocalFileGetsNoWiderThereThanItWas() throws IOException {
        java.nio.file.Path local = Files.write(scratch.resolve("secret.gz"), RecompressTest.plainGzip(RAW));
        Files.setPosixFilePermissions(local, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r-----"));
        assertThat(ToolRun.of("recompress", "--format", "zstd", "-o", uri(FOLDER), local)
                        .exit())
                .isZero();
        FsPermission permission =
                hdfs.getFileStatus(new Path(FOLDER, "secret.zst")).getPermission();
        assertThat(permission.toShort()).isEqualTo((short) 0600);
    }
}
