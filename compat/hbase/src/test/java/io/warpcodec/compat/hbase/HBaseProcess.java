package io.warpcodec.compat.hbase;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;

/**
 * An HBase in this process, as its standalone mode starts it: a ZooKeeper, a master and a region server on ports of
 * their own, which keep their files in one local folder. It has no block cache, so that each read decodes blocks of a
 * file.
 */
final class HBaseProcess implements AutoCloseable {
    private final Configuration conf = HBaseConfiguration.create();
    private final MiniZooKeeperCluster keeper;
    private final LocalHBaseCluster cluster;
    private final Connection connection;

    /**
     * Starts it in an empty folder; {@code settings} are names and values in turn, beside those of every cluster here.
     */
    HBaseProcess(Path folder, String... settings) throws IOException, InterruptedException {
        conf.set("hbase.rootdir", folder.resolve("root").toUri().toString());
        conf.set("hbase.tmp.dir", folder.resolve("tmp").toString());
        conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
        conf.set("hbase.master.ipc.address", "127.0.0.1");
        conf.set("hbase.regionserver.ipc.address", "127.0.0.1");
        conf.set("hbase.unsafe.master.hostname", "localhost");
        conf.set("hbase.unsafe.regionserver.hostname", "localhost");
        conf.setInt("hbase.master.info.port", -1);
        conf.setInt("hbase.regionserver.info.port", -1);
        conf.setFloat("hfile.block.cache.size", 0);
        conf.setInt("hbase.regionserver.handler.count", 5);
        for (int i = 0; i < settings.length; i += 2) {
            conf.set(settings[i], settings[i + 1]);
        }
        keeper = new MiniZooKeeperCluster(conf);
        int port = keeper.startup(folder.resolve("zookeeper").toFile());
        conf.set("hbase.zookeeper.quorum", "127.0.0.1");
        conf.setInt("hbase.zookeeper.property.clientPort", port);
        conf.setInt("hbase.master.port", 0);
        conf.setInt("hbase.regionserver.port", 0);
        cluster = new LocalHBaseCluster(conf, 1);
        cluster.startup();
        connection = ConnectionFactory.createConnection(conf);
    }

    Configuration conf() {
        return conf;
    }

    Connection connection() {
        return connection;
    }

    LocalHBaseCluster cluster() {
        return cluster;
    }

    @Override
    public void close() throws IOException {
        connection.close();
        cluster.shutdown();
        cluster.join();
        keeper.shutdown();
    }
}
