package io.warpcodec.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class SizeLedgerTest {
    /**
     * JDKs bring zlibs of their own, which differ a little. The other encoders are ours, or of the versions that the
     * build names.
     */
    private static final int ZLIB_PERCENT = 5;

    private static final String MEANT =
            "golden/sizes.csv says otherwise: %s. If that is meant, commit the ledger with the change that caused"
                    + " it: the main class io.warpcodec.golden.SizeLedger, on the test class path of codec-core, writes it to the file that it is given";

    @Test
    void compressedSizesAreThoseOfTheLedger() throws IOException {
        List<String> now = SizeLedger.lines();
        List<String> ledger = Files.readAllLines(GoldenFolder.root().resolve("sizes.csv"));
        assertThat(now.stream().map(SizeLedgerTest::what))
                .as(MEANT, "other rows")
                .containsExactlyElementsOf(
                        ledger.stream().map(SizeLedgerTest::what).toList());
        for (int row = 1; row < now.size(); row++) {
            long expected = bytes(ledger.get(row));
            boolean zlib = now.get(row).startsWith("gzip,") || now.get(row).startsWith("deflate,");
            Offset<Long> tolerance = within(zlib ? expected * ZLIB_PERCENT / 100 : 0);
            assertThat(bytes(now.get(row))).as(MEANT, ledger.get(row)).isCloseTo(expected, tolerance);
        }
    }

    /** A row without its last cell. */
    private static String what(String row) {
        return row.substring(0, row.lastIndexOf(','));
    }

    private static long bytes(String row) {
        return Long.parseLong(row.substring(row.lastIndexOf(',') + 1));
    }
}
