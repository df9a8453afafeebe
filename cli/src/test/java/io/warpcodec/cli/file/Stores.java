package io.warpcodec.cli.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** The file systems that a test goes through: a folder on each. */
final class Stores implements AutoCloseable {

    /** Kinds of file systems. */
    enum Kind {
        LOCAL,
        /** Renames by copying. */
        OBJECTS,
        HDFS,
        /** A view of several clusters, of which there is one. */
        VIEW,
        /** The cluster of {@link #HDFS}, by HTTP. */
        WEB;

        /** Whether it tells which files are open. */
        boolean tellsOpenFiles() {
            return this == HDFS || this == VIEW;
        }

        /** Whether its files belong to a cluster that does not tell which are open. */
        boolean isSilent() {
            return this == WEB;
        }
    }

    private final MiniDFSCluster cluster;
    private final Path scratch;
    private final Path mounts;
    private int folders;

    Stores(Path scratch) throws IOException {
        this.scratch = scratch;
        Configuration.addDefaultResource("publishing-harness.xml");
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, scratch.resolve("cluster").toString());
        conf.setBoolean("dfs.namenode.edits.noeditlogchannelflush", true);
        conf.set("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
        cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        cluster.waitClusterUp();
        mounts = writeMounts();
        cluster.getFileSystem().mkdirs(new org.apache.hadoop.fs.Path("/mounted"));
    }

    /** A resource of its own on the class path: only this process knows the cluster's port. */
    private Path writeMounts() throws IOException {
        Configuration conf = new Configuration(false);
        conf.set("fs.viewfs.mounttable.all.link./mounted", cluster.getURI() + "/mounted");
        Path classes = Path.of(
                Stores.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        Path file = Files.createTempFile(classes, "mounts", ".xml");
        try (OutputStream out = Files.newOutputStream(file)) {
            conf.writeXml(out);
        }
        Configuration.addDefaultResource(file.getFileName().toString());
        return file;
    }

    DistributedFileSystem hdfs() throws IOException {
        return cluster.getFileSystem();
    }

    /** The name of a new folder. */
    String folder(Kind kind) throws IOException {
        String name = "case" + folders++;
        String local = kind == Kind.LOCAL || kind == Kind.OBJECTS
                ? Files.createDirectory(scratch.resolve(name)).toString()
                : null;
        return switch (kind) {
            case LOCAL -> local;
            case OBJECTS -> "copying://" + local;
            case HDFS -> cluster.getURI() + "/mounted/" + name;
            case VIEW -> "viewfs://all/mounted/" + name;
            case WEB ->
                "webhdfs://" + cluster.getConfiguration(0).get("dfs.namenode.http-address") + "/mounted/" + name;
        };
    }

    /** Where the cluster itself has a file of a folder of {@link Kind#HDFS}, {@link Kind#VIEW} or {@link Kind#WEB}. */
    static org.apache.hadoop.fs.Path inCluster(String uri) {
        return new org.apache.hadoop.fs.Path(uri.substring(uri.indexOf("/mounted/")));
    }

    @Override
    public void close() throws IOException {
        Files.delete(mounts);
        cluster.shutdown(true);
    }
}
