package io.warpcodec.compat.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables of a real HBase, with the settings of docs/user/hive.md. The counters prove which codec worked: what
 * HBase's codec writes or reads leaves ours as they are.
 */
class HBaseTableTest {
    private static final byte[] FAMILY = Bytes.toBytes("f");
    private static final byte[] COLUMN = Bytes.toBytes("c");
    private static final int ROWS = 4000;
    private static final int SCANS_AT_ONCE = 4;
    private static final long SEED = 14;

    @TempDir
    private static Path scratch;

    private static HBaseProcess hbase;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        hbase = new HBaseProcess(scratch, "io.compression.codec.gpu.lz4.framing", "hadoop");
    }

    @AfterAll
    static void stop() throws IOException {
        hbase.close();
    }

    @ParameterizedTest
    @EnumSource
    void cellsOfFlushesAndCompactionsComeBack(TableCompression compression) throws Exception {
        compression.useOurs(hbase.conf());
        TableName name = create("ours", compression);
        Map<String, String> cells = new TreeMap<>();
        for (int flush = 0; flush < 3; flush++) {
            long encoded = encodedBytes(compression);
            fill(name, cells, flush);
            assertThat(encodedBytes(compression) - encoded).isGreaterThanOrEqualTo(rawBytes(cells) / (flush + 1));
        }
        assertThatOursRead(name, compression, cells);
        long encoded = encodedBytes(compression);
        compact(name);
        assertThat(encodedBytes(compression) - encoded).isGreaterThanOrEqualTo(rawBytes(cells));
        assertThatOursRead(name, compression, cells);
    }

    @ParameterizedTest
    @EnumSource
    void scansAtOnceEachGetAllCells(TableCompression compression) throws Exception {
        compression.useOurs(hbase.conf());
        TableName name = create("at-once", compression);
        Map<String, String> cells = new TreeMap<>();
        fill(name, cells, 0);
        ExecutorService threads = Executors.newFixedThreadPool(SCANS_AT_ONCE);
        try {
            Callable<Map<String, String>> scan = () -> scan(name);
            for (Future<Map<String, String>> got : threads.invokeAll(Collections.nCopies(SCANS_AT_ONCE, scan))) {
                assertThat(got.get()).isEqualTo(cells);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"GZ", "LZ4", "SNAPPY"})
    void filesOfHBasesOwnCodecAreRead(TableCompression compression) throws Exception {
        compression.useTheirs(hbase.conf());
        TableName name = create("theirs", compression);
        Map<String, String> cells = new TreeMap<>();
        long encoded = encodedBytes(compression);
        fill(name, cells, 0);
        assertThat(encodedBytes(compression)).isEqualTo(encoded);
        compression.useOurs(hbase.conf());
        assertThatOursRead(name, compression, cells);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZ", "LZ4", "SNAPPY"})
    void hbasesOwnCodecReadsOurFiles(TableCompression compression) throws Exception {
        compression.useOurs(hbase.conf());
        TableName name = create("for-theirs", compression);
        Map<String, String> cells = new TreeMap<>();
        long encoded = encodedBytes(compression);
        fill(name, cells, 0);
        assertThat(encodedBytes(compression) - encoded).isGreaterThanOrEqualTo(rawBytes(cells));
        compression.useTheirs(hbase.conf());
        long decoded = decodedBytes(compression);
        assertThat(scan(name)).isEqualTo(cells);
        assertThat(decodedBytes(compression)).isEqualTo(decoded);
    }

    /**
     * HBase's zstd module puts Hadoop's block framing around its frames: each codec refuses the other's files, and no
     * cell is lost.
     */
    @Test
    void tablesOfHBasesZstdModuleMoveToOursByWayOfAnotherWord() throws Exception {
        TableCompression.ZSTD.useTheirs(hbase.conf());
        TableName name = create("moved", TableCompression.ZSTD);
        Map<String, String> cells = new TreeMap<>();
        fill(name, cells, 0);
        TableCompression.ZSTD.useOurs(hbase.conf());
        assertThatScanOnce(name).hasStackTraceContaining("corrupt zstd data at offset 0: not a zstd frame");

        TableCompression.ZSTD.useTheirs(hbase.conf());
        rewrite(name, TableCompression.LZ4);
        TableCompression.ZSTD.useOurs(hbase.conf());
        rewrite(name, TableCompression.ZSTD);
        assertThatOursRead(name, TableCompression.ZSTD, cells);

        TableCompression.ZSTD.useTheirs(hbase.conf());
        // what it takes for a length is more than there is, or less than nothing
        assertThatScanOnce(name)
                .satisfies(refusal -> assertThat(refusal)
                        .hasStackTraceContaining("IOException")
                        .satisfiesAnyOf(
                                more -> assertThat(more).hasStackTraceContaining("Premature EOF"),
                                less -> assertThat(less).hasStackTraceContaining("IndexOutOfBoundsException")));
        TableCompression.ZSTD.useOurs(hbase.conf());
        assertThatOursRead(name, TableCompression.ZSTD, cells);
    }

    private static void rewrite(TableName name, TableCompression compression) throws IOException {
        try (Admin admin = hbase.connection().getAdmin()) {
            admin.modifyColumnFamily(name, family(compression));
        }
        compact(name);
    }

    /** What a scan throws that is not tried again. */
    private static AbstractThrowableAssert<?, ? extends Throwable> assertThatScanOnce(TableName name)
            throws IOException {
        Configuration once = new Configuration(hbase.conf());
        once.setInt("hbase.client.retries.number", 0);
        try (Connection connection = ConnectionFactory.createConnection(once)) {
            return assertThatThrownBy(() -> scan(connection, name));
        }
    }

    private static void assertThatOursRead(TableName name, TableCompression compression, Map<String, String> cells)
            throws IOException {
        long decoded = decodedBytes(compression);
        assertThat(scan(name)).isEqualTo(cells);
        assertThat(decodedBytes(compression) - decoded).isGreaterThanOrEqualTo(rawBytes(cells));
    }

    private static TableName create(String prefix, TableCompression compression) throws IOException {
        TableName name = TableName.valueOf(prefix + "-" + compression.name().toLowerCase(Locale.ROOT));
        try (Admin admin = hbase.connection().getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(family(compression))
                    .build());
        }
        return name;
    }

    private static ColumnFamilyDescriptor family(TableCompression compression) {
        return ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setCompressionType(compression.algorithm())
                .setBlocksize(16 << 10)
                .build();
    }

    /**
     * Puts rows of their own for each turn, among them values longer than a block and values that do not shrink, and
     * flushes them into one file.
     */
    private static void fill(TableName name, Map<String, String> cells, int turn) throws IOException {
        Random random = new Random(SEED + turn);
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            String row = "%06d-%d".formatted(i, turn);
            String value = value(random, i);
            cells.put(row, value);
            puts.add(new Put(Bytes.toBytes(row)).addColumn(FAMILY, COLUMN, Bytes.toBytes(value)));
        }
        try (Table table = hbase.connection().getTable(name);
                Admin admin = hbase.connection().getAdmin()) {
            table.put(puts);
            admin.flush(name);
        }
    }

    private static String value(Random random, int row) {
        if (row % 1000 == 7) {
            return "long value ".repeat(10_000);
        }
        if (row % 10 == 3) {
            byte[] bytes = new byte[random.nextInt(500)];
            random.nextBytes(bytes);
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
        return "abcdefgh".repeat(random.nextInt(12)) + random.nextInt();
    }

    private static void compact(TableName name) throws IOException {
        hbase.cluster().getRegionServer(0).getRegions(name).forEach(region -> {
            try {
                ((HRegion) region).compact(true);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        });
    }

    private static Map<String, String> scan(TableName name) throws IOException {
        return scan(hbase.connection(), name);
    }

    private static Map<String, String> scan(Connection connection, TableName name) throws IOException {
        Map<String, String> cells = new TreeMap<>();
        try (Table table = connection.getTable(name);
                ResultScanner results = table.getScanner(new Scan().setCaching(500))) {
            for (Result result : results) {
                cells.put(Bytes.toString(result.getRow()), Bytes.toString(result.getValue(FAMILY, COLUMN)));
            }
        }
        return cells;
    }

    private static long encodedBytes(TableCompression compression) {
        return Metrics.sum("encode." + compression.format().word() + ".", ".bytesIn");
    }

    private static long decodedBytes(TableCompression compression) {
        return Metrics.sum("decode." + compression.format().word() + ".", ".bytesOut");
    }

    /** What the values alone take in a file before it is compressed. */
    private static long rawBytes(Map<String, String> cells) {
        return cells.values().stream()
                .mapToLong(value -> Bytes.toBytes(value).length)
                .sum();
    }
}
