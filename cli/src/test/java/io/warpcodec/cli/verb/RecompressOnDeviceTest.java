package io.warpcodec.cli.verb;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import io.warpcodec.Engines;
import io.warpcodec.cli.Samples;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code warpcodec recompress --level 19} of a tree of {@code .gz}, on a scripted device. */
class RecompressOnDeviceTest {
    private static final int FRAME_BYTES = 8 << 20;
    private static final Map<String, byte[]> RAW_BY_NAME = Map.of(
            "long", Samples.text(FRAME_BYTES + 1),
            "deep/two", Samples.text(2_000_000),
            "deep/er/short", Samples.text(70_000),
            "empty", new byte[0]);

    @TempDir
    Path folder;

    private ScriptedGpu gpu;

    @BeforeEach
    void install() {
        gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.strongLimits()).started();
        Engines.installAccelerator(gpu.engine());
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
        gpu.awaitNothingLent();
        gpu.close();
    }

    /** Raw bytes of each frame that has some, by the frames' headers. */
    private static List<Long> frames(byte[] file) {
        List<Long> bytes = new ArrayList<>();
        for (int at = 0; at < file.length; ) {
            byte[] rest = Arrays.copyOfRange(file, at, file.length);
            if (Zstd.getFrameContentSize(rest) > 0) {
                bytes.add(Zstd.getFrameContentSize(rest));
            }
            at += Math.toIntExact(Zstd.findFrameCompressedSize(rest));
        }
        return bytes;
    }

    @Test
    void treeOfGzipBecomesFramesOfEightMebibytes() throws IOException {
        for (Map.Entry<String, byte[]> file : RAW_BY_NAME.entrySet()) {
            Path gzip = folder.resolve(file.getKey() + ".gz");
            Files.createDirectories(gzip.getParent());
            Files.write(gzip, RecompressTest.plainGzip(file.getValue()));
        }
        long encoded = Metrics.counter("encode.zstd.gpu.chunks").sum();
        long mismatches = Metrics.counter("verify.zstd.mismatches").sum();
        ToolRun run = ToolRun.of("recompress", "--engine", "gpu", "--format", "zstd", "--level", "19", folder);
        assertThat(run.complaints()).isEmpty();
        assertThat(run.exit()).isZero();
        long chunks = 0;
        for (Map.Entry<String, byte[]> file : RAW_BY_NAME.entrySet()) {
            byte[] raw = file.getValue();
            assertThat(folder.resolve(file.getKey() + ".gz")).doesNotExist();
            Path zstd = folder.resolve(file.getKey() + ".zst");
            try (InputStream in = new ZstdInputStream(Files.newInputStream(zstd))) {
                assertThat(Arrays.equals(in.readAllBytes(), raw))
                        .as(file.getKey())
                        .isTrue();
            }
            List<Long> expected = new ArrayList<>();
            for (long left = raw.length; left > 0; left -= FRAME_BYTES) {
                expected.add(Math.min(left, FRAME_BYTES));
            }
            assertThat(frames(Files.readAllBytes(zstd))).as(file.getKey()).isEqualTo(expected);
            chunks += expected.size();
        }
        assertThat(Metrics.counter("encode.zstd.gpu.chunks").sum() - encoded)
                .as("frames of the device")
                .isEqualTo(chunks);
        assertThat(Metrics.counter("verify.zstd.mismatches").sum()).isEqualTo(mismatches);
    }
}
