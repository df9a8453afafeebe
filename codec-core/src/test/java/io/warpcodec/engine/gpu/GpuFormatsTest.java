package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What formats say of themselves is what their programs and layouts do. */
class GpuFormatsTest {
    static Stream<GpuFormat> all() {
        return GpuFormats.ALL.stream();
    }

    static Stream<GpuFormat> onlyRead() {
        return all().filter(format -> !format.encodes());
    }

    @ParameterizedTest
    @MethodSource("all")
    void whatDevicesEncodeHasProgramsAndLayoutsForThatAndNothingElseHas(GpuFormat format) {
        String encode = Direction.ENCODE.word() + ".";
        assertThat(format.programs().keySet().stream().anyMatch(name -> name.startsWith(encode)))
                .isEqualTo(format.encodes());
        assertThat(format.layout(CodecOptions.DEFAULTS) != null).isEqualTo(format.encodes());
        assertThat(GpuFormats.supports(format.format(), Direction.ENCODE)).isEqualTo(format.encodes());
        assertThat(GpuFormats.supports(format.format(), Direction.DECODE)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("onlyRead")
    void whatDevicesDoNotEncodeTheCpuDoesAndItIsCounted(GpuFormat known) throws IOException {
        Format format = known.format();
        byte[] raw = GpuStreams.text(100_000, 1);
        List<Chunk> chunks =
                List.of(Chunk.raw(new Lease(ByteBuffer.wrap(raw), "sample", () -> {}), 0, raw.length, 0, 0));
        String counter = "fallback.encode." + format.word() + "." + FallbackReason.UNSUPPORTED.word();
        long before = Metrics.counter(counter).sum();
        try (ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits()).started();
                Batch<EncodedChunk> batch = gpu.engine().encode(format, CodecOptions.DEFAULTS, chunks);
                Batch<EncodedChunk> expected = new CpuEngine().encode(format, CodecOptions.DEFAULTS, chunks)) {
            EncodedChunk mine = batch.take(0);
            EncodedChunk its = expected.take(0);
            assertThat(mine.body()).isEqualTo(its.body());
            mine.release().run();
            its.release().run();
            assertThat(gpu.hasWorked()).isFalse();
        }
        assertThat(Metrics.counter(counter).sum() - before).isEqualTo(1);
    }
}
