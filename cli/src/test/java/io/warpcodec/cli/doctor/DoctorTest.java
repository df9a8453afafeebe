package io.warpcodec.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.terminal.ExitCode;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The verb doctor on the machine of the test, whatever it has. What it says of other machines is tested where the
 * verdict is made.
 */
class DoctorTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theFirstLineIsTheVerdictAndTheNextOnesAreTheProblems() throws IOException {
        JsonNode report = JSON.readTree(ToolRun.of("doctor", "--json").out());
        List<String> lines = ToolRun.of("doctor").text().lines().toList();
        assertThat(lines.get(0)).isEqualTo(report.get("verdict").asText()).matches("(GPU|CPU only): .+");
        int problems = report.get("problems").size();
        for (int number = 0; number < problems; number++) {
            JsonNode problem = report.get("problems").get(number);
            assertThat(lines.get(1 + number))
                    .startsWith("- " + problem.get("what").asText() + ". ")
                    .endsWithIgnoringCase(problem.get("remedy").asText());
        }
        assertThat(lines.get(1 + problems)).isEmpty();
        assertThat(lines.get(2 + problems)).startsWith("warpcodec: ");
        assertThat(lines.get(3 + problems)).isEqualTo("driver:");
    }

    @Test
    void checkPrintsTheVerdictOnlyAndEndsWithItsCode() throws IOException {
        JsonNode report = JSON.readTree(ToolRun.of("doctor", "--json").out());
        ToolRun gpu = ToolRun.of("doctor", "--check", "gpu");
        assertThat(gpu.text()).isEqualTo(report.get("verdict").asText() + "\n");
        assertThat(gpu.exit()).isEqualTo(report.get("gpu").asBoolean() ? 0 : 3);
        ToolRun cpu = ToolRun.of("doctor", "--check", "cpu");
        assertThat(cpu.text()).isEqualTo("CPU: gzip, deflate, bzip2, lz4, snappy, zstd\n");
        assertThat(cpu.exit()).isZero();
        assertThat(ToolRun.of("doctor", "--check", "tpu").exit()).isEqualTo(ExitCode.FAILED);
    }

    @Test
    void theSwitchOfEmergenciesFailsTheCheckForAGpu() {
        System.setProperty("warpcodec.mode", "cpu");
        ToolRun run = ToolRun.of("doctor", "--check", "gpu");
        assertThat(run.text()).isEqualTo("CPU only: -Dwarpcodec.mode=cpu is set\n");
        assertThat(run.exit()).isEqualTo(3);
    }
}
