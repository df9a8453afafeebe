package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cut zst files on scripted devices: verdict, and bytes before it, are the CPU's. */
class ZstdTruncationTest {
    private static final int FRAME_RAW_BYTES = 900;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits()).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        gpu.awaitNothingLent();
        gpu.close();
    }

    /** Bytes that come before the verdict, and the verdict: null where all is well. */
    private record Outcome(byte[] bytes, String verdict) {
        static Outcome of(byte[] file, Mode mode, int readBytes) {
            CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(file), Format.ZSTD, options)) {
                byte[] buffer = new byte[readBytes];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    bytes.write(buffer, 0, count);
                }
                return new Outcome(bytes.toByteArray(), null);
            } catch (IOException bad) {
                return new Outcome(bytes.toByteArray(), bad.toString());
            }
        }
    }

    /** Frames with and without content size and checksum; devices take those with a size. */
    private static byte[] file() throws IOException {
        ByteArrayOutputStream streamed = new ByteArrayOutputStream();
        try (ZstdOutputStream out = new ZstdOutputStream(streamed, 3)) {
            out.setChecksum(true);
            out.write(GpuStreams.text(FRAME_RAW_BYTES, 1));
        }
        byte[] sized = Zstd.compress(GpuStreams.text(FRAME_RAW_BYTES, 2), 3);
        StreamRig rig = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS.withMode(Mode.CPU));
        return StreamRig.concat(sized, streamed.toByteArray(), rig.write(GpuStreams.text(FRAME_RAW_BYTES, 3)), sized);
    }

    @ParameterizedTest
    @ValueSource(ints = {13, 4096})
    void everyTruncationIsJudgedAsByTheCpu(int readBytes) throws IOException {
        byte[] file = file();
        long before = Metrics.counter("decode.zstd.gpu.bytesOut").sum();
        int refused = 0;
        for (int bytes = 0; bytes <= file.length; bytes++) {
            byte[] cut = Arrays.copyOf(file, bytes);
            Outcome cpu = Outcome.of(cut, Mode.CPU, readBytes);
            Outcome mine = Outcome.of(cut, Mode.GPU, readBytes);
            assertThat(mine.verdict).as("cut at %d", bytes).isEqualTo(cpu.verdict);
            assertThat(mine.bytes).as("cut at %d", bytes).isEqualTo(cpu.bytes);
            refused += mine.verdict == null ? 0 : 1;
        }
        // between frames the file is whole
        assertThat(refused).isEqualTo(file.length + 1 - 4);
        long onDevices = Metrics.counter("decode.zstd.gpu.bytesOut").sum() - before;
        assertThat(onDevices).as("bytes that devices decoded").isGreaterThan((long) FRAME_RAW_BYTES * file.length / 2);
    }
}
