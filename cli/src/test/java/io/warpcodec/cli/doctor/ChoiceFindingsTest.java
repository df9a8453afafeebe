package io.warpcodec.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.Mode;
import io.warpcodec.cli.bench.ChoiceLines;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChoiceFindingsTest {
    /** Doctor's smallest size and a size of several chunks: the script that stands for a device is slow. */
    private static final int[] SAMPLE_BYTES =
            System.getProperty("warpcodec.test.sizes", "").equals("all")
                    ? ChoiceFindings.SAMPLE_BYTES
                    : new int[] {64 << 10, 512 << 10};

    @Test
    @SuppressWarnings("unchecked")
    void theNumbersOfTheChoiceAreReported() {
        try (ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits()).started()) {
            Engines.installAccelerator(gpu.engine());
            Map<String, Object> engine = Findings.engine(SAMPLE_BYTES);
            List<Map<String, Object>> findings = (List<Map<String, Object>>) engine.get("costs");
            assertThat(findings)
                    .extracting(finding -> finding.get("work"))
                    .containsExactly(
                            "decode bzip2",
                            "decode deflate runs",
                            "decode gzip",
                            "decode lz4",
                            "decode snappy",
                            "decode zstd",
                            "encode bzip2",
                            "encode deflate",
                            "encode gzip",
                            "encode lz4",
                            "encode snappy",
                            "encode zstd");
            assertThat(findings)
                    .allMatch(finding -> (long) finding.get("turnaroundMicros") > 0
                            && (double) finding.get("cpuNanosPerByte") > 0
                            && (long) finding.get("deviceFromBytes") > 0);
            assertThat(ChoiceLines.of(Mode.AUTO))
                    .hasSize(12)
                    .allMatch(
                            line -> line.matches(
                                    "(de|en)code (bzip2|deflate|deflate runs|gzip|lz4|snappy|zstd): waited for at once, a device from [0-9]+ KiB on .*"));
            assertThat(ChoiceLines.of(Mode.CPU)).isEmpty();
        }
    }
}
