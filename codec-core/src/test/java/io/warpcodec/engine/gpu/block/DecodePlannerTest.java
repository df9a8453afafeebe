package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Mode;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DecodePlannerTest {
    private static final int BUDGET_BYTES = 1 << 20;

    /** A chunk may claim less than its container says where a hint lies; the CPU gives it up, and so must a device. */
    @ParameterizedTest
    @EnumSource
    void aChunkThatMakesMoreThanItClaimsIsNotForADevice(GpuStreams kind) throws IOException {
        CodecOptions options = kind.options.withMode(Mode.GPU);
        byte[] file = kind.write(GpuStreams.text(20_000, 1), BUDGET_BYTES);
        DecodePlanner planner = GpuEngines.planner(kind.format, options);
        for (ChunkSample sample : ChunkSample.of(kind, file, options)) {
            Chunk chunk = sample.chunk(sample.bytes());
            DecodePlan plan = planner.plan(chunk, BUDGET_BYTES);
            assertThat(plan.refusal()).isNull();
            Chunk claimingLess =
                    Chunk.encoded(chunk.input(), chunk.start(), chunk.bytes(), 0, plan.rawBytes() - 1, chunk.detail());
            assertThat(planner.plan(claimingLess, BUDGET_BYTES).refusal()).isEqualTo(FallbackReason.NOT_WELL_FORMED);
        }
    }
}
