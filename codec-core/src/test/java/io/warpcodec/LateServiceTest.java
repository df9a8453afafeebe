package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.GpuEngine;
import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.node.ServedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process with {@code devices=node} that began before its node's service was there. */
class LateServiceTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);

    private Engines.Installed before;
    private Path folder;

    @BeforeEach
    void forget() throws IOException {
        before = Engines.installed();
        folder = ServedNode.newFolder();
        PoolSettings.install(PoolSettings.DEFAULTS.withNode(new NodeSettings(folder, Set.of(), true)));
        Engines.install(null);
    }

    @AfterEach
    void restore() throws IOException {
        Files.deleteIfExists(folder);
        PoolSettings.install(null);
        Engines.restore(before);
    }

    private static String chosen() throws IOException {
        return Engines.selector()
                .choose(Format.LZ4, Direction.DECODE, AUTO)
                .getClass()
                .getSimpleName();
    }

    @Test
    void aStreamThatInsistsFindsOneThatHasCome() {
        assertThat(Engines.selector().unavailableReason()).isEqualTo(FallbackReason.NODE_LOST);
        try (ScriptedNode node = ScriptedNode.openIn(folder, 1, ScriptedGpu.smallLimits())) {
            assertThat(Engines.selector().accelerator()).isInstanceOf(GpuEngine.class);
        }
    }

    @Test
    void aProcessWhoseStartHasPaidFindsOneThatHasCome() throws IOException {
        Engines.expectLongLife();
        assertThat(chosen()).isNotEqualTo("GpuEngine");
        assertThat(Engines.selector().unavailableReason()).isEqualTo(FallbackReason.NODE_LOST);
        try (ScriptedNode node = ScriptedNode.openIn(folder, 1, ScriptedGpu.smallLimits())) {
            while (!chosen().equals("GpuEngine")) {
                Thread.onSpinWait();
            }
        }
    }
}
