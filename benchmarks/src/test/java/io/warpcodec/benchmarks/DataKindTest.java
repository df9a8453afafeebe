package io.warpcodec.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DataKindTest {
    private static final int BYTES = 2_000_000;

    private static double ratio(byte[] raw) {
        Deflater deflater = new Deflater();
        deflater.setInput(raw);
        deflater.finish();
        int size = deflater.deflate(new byte[raw.length + 10_000]);
        deflater.end();
        return (double) raw.length / size;
    }

    @ParameterizedTest
    @EnumSource
    void itsBytesAreAlwaysTheSameAndItsWordNamesIt(DataKind kind) {
        byte[] raw = kind.bytes(BYTES);
        assertThat(raw).hasSize(BYTES).isEqualTo(kind.bytes(BYTES));
        assertThat(Arrays.copyOf(raw, 1000))
                .as("a shorter one is its beginning")
                .isEqualTo(kind.bytes(1000));
        assertThat(DataKind.of(kind.word())).isEqualTo(kind);
    }

    @Test
    void theyAreUnlikeEachOther() {
        Map<DataKind, Double> ratios = new HashMap<>();
        for (DataKind kind : DataKind.values()) {
            ratios.put(kind, ratio(kind.bytes(BYTES)));
        }
        assertThat(ratios.get(DataKind.RANDOM)).isLessThan(1);
        assertThat(ratios.get(DataKind.ARCHIVES)).isBetween(0.99, 1.1);
        assertThat(ratios.get(DataKind.IMAGES_IN_TAR)).isBetween(1.2, 2.5);
        assertThat(ratios.get(DataKind.DNA)).isBetween(3.0, 4.0);
        assertThat(ratios.get(DataKind.ZEROS)).isGreaterThan(500);
        for (DataKind text : new DataKind[] {DataKind.JSON, DataKind.LOGS, DataKind.SPARSE_CSV, DataKind.FIXED_WIDTH}) {
            assertThat(ratios.get(text)).as(text.word()).isBetween(3.0, 20.0);
        }
        assertThat(ratios.get(DataKind.FLOATS)).isBetween(1.05, 4.0);
        assertThat(DataKind.of("lineitem")).isNull();
    }
}
