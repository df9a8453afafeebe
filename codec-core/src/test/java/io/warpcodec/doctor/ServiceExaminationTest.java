package io.warpcodec.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.engine.gpu.ScriptedGpu;
import io.warpcodec.engine.gpu.ScriptedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceExaminationTest {
    @AfterEach
    void forget() {
        PoolSettings.install(null);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> examined(NodeReport report, Path folder, boolean required) {
        PoolSettings.install(PoolSettings.DEFAULTS.withNode(new NodeSettings(folder, Set.of(), required)));
        ServiceExamination.examine(report);
        return (Map<String, Object>) report.facts().get("nodeService");
    }

    @Test
    void aServiceThatAnswersIsTheVerdict() {
        NodeReport report = new NodeReport();
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits())) {
            assertThat(examined(report, node.node().folder(), false))
                    .containsEntry("there", true)
                    .containsEntry("answers", true);
            assertThat(report.gpu().holds()).isTrue();
            assertThat(report.gpu().line()).contains("node service");
            assertThat(report.problems()).isEmpty();
        }
    }

    @Test
    void aSocketThatIsNotAnsweredIsAProblem(@TempDir Path folder) throws Exception {
        Files.createFile(folder.resolve("socket"));
        NodeReport report = new NodeReport();
        assertThat(examined(report, folder, false)).containsEntry("answers", false);
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).contains(folder.toString()));
    }

    @Test
    void noServiceIsAProblemOnlyWhereOneIsAskedFor(@TempDir Path folder) {
        NodeReport report = new NodeReport();
        assertThat(examined(report, folder, false)).containsEntry("there", false);
        assertThat(report.problems()).isEmpty();
        examined(report, folder, true);
        assertThat(report.gpu().holds()).isFalse();
        assertThat(report.problems()).hasSize(1);
    }
}
