package io.warpcodec.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.HashMap;
import java.util.List;
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
    @SuppressWarnings("unchecked")
    void theServiceIsShownWithItsClients() {
        NodeReport report = new NodeReport();
        report.gpu(new Verdict(true, "GPU"));
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits())) {
            Map<String, Object> service = (Map<String, Object>)
                    examined(report, node.node().folder(), false).get("service");
            assertThat(service)
                    // the block of the doctor
                    .containsEntry("done", 1L)
                    .containsEntry("failed", Map.of())
                    .containsEntry("clientsNotServed", Map.of());
            assertThat((List<Map<String, Object>>) service.get("clients"))
                    .isNotEmpty()
                    .allSatisfy(client -> assertThat(client)
                            .containsEntry("user", System.getProperty("user.name"))
                            .containsEntry("underWay", 0));
            assertThat(report.asText()).contains("    clientsNotServed: none\n", "      name: process ");
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

    @Test
    void aFolderThatIsClosedNamesTheGroupThatMayComeIn(@TempDir Path folder) throws Exception {
        NodeReport report = new NodeReport();
        Map<String, Object> finding = new HashMap<>();
        ServiceExamination.closed(report, folder, finding);
        String group =
                Files.readAttributes(folder, PosixFileAttributes.class).group().getName();
        assertThat(finding.get("why").toString()).contains("the group " + group);
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).contains("the group " + group));
    }

    @Test
    void aProcessThatCannotBeEndedIsNamed(@TempDir Path folder) throws Exception {
        NodeReport report = new NodeReport();
        Files.writeString(folder.resolve(NodeProtocol.STUCK), "4711");
        examined(report, folder, false);
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).contains("process 4711"));
    }
}
