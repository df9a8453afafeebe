package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.Settings;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.StartEvidence;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.metrics.FallbackReason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The tool looks for devices before it works, if its inputs together are large enough to pay for their start. By the
 * CPU's known prices half a second's start pays for 3 MB of bzip2 on one thread, both ways.
 */
class ExpectedWorkTest {
    private static final int HALF = 2_000_000;

    private static Path noise;

    @TempDir
    Path folder;

    private final AtomicInteger searches = new AtomicInteger();

    /** A machine where a start takes half a second, and that turns out to have no device. */
    private final class ShortStarts implements StartTurns {
        @Override
        public long measuredNanos() {
            return 1;
        }

        @Override
        public Turn tryTurn() {
            return StartTurns.alone().tryTurn();
        }
    }

    private static final class YoungProcess implements StartEvidence {
        @Override
        public long savedNanos() {
            return 0;
        }

        @Override
        public long livedNanos() {
            return 0;
        }
    }

    @BeforeEach
    void countSearches() {
        Engines.install(new EngineSelector(
                new CpuEngine(), new AcceleratorStart(this::search, ShortStarts::new, new YoungProcess())));
    }

    private AcceleratorStart.Found search() {
        searches.incrementAndGet();
        return new AcceleratorStart.Found(null, FallbackReason.NO_DRIVER);
    }

    @AfterEach
    void discoverAgain() {
        Engines.install(null);
        Engines.useCpuThreads(1);
    }

    private void run(Object... words) {
        ToolRun run = ToolRun.of(words);
        assertThat(run.exit()).as(run.err()).isZero();
    }

    /** Raw bytes that are soon compressed. */
    private Path zeros(String name, int bytes) throws IOException {
        return Files.write(folder.resolve(name), new byte[bytes]);
    }

    /** A compressed file of noise, which has so many bytes too. */
    private void compressed(String name) throws IOException {
        Files.copy(noise, folder.resolve(name));
    }

    @BeforeAll
    static void compressNoise(@TempDir Path shared) throws IOException {
        byte[] bytes = new byte[HALF];
        new Random(HALF).nextBytes(bytes);
        Path raw = Files.write(shared.resolve("noise"), bytes);
        assertThat(ToolRun.of("compress", "--engine", "cpu", "--format", "bzip2", raw)
                        .exit())
                .isZero();
        noise = shared.resolve("noise.bz2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--engine=auto", "-T1"})
    void compressSumsItsFiles(String word) throws IOException {
        Path first = zeros("first", HALF);
        run("compress", "-T", "1", "-k", "--format", "bzip2", first);
        assertThat(searches).as("one file is too small").hasValue(0);
        run("compress", "-T", "1", word, "-k", "-f", "--format", "bzip2", first, zeros("second", HALF));
        assertThat(searches).hasValue(1);
    }

    @Test
    void threadsDoItSoonerThanDevicesStart() throws IOException {
        run("compress", "-T", "4", "--format", "bzip2", zeros("first", HALF), zeros("second", HALF));
        assertThat(searches).hasValue(0);
    }

    /** A file of one frame of 8 MiB is a single thread's work, however many there are. */
    @Test
    void noMoreThreadsHelpThanAFileHasChunks() throws IOException {
        Path first = zeros("first", HALF);
        run("compress", "-T", "16", "-k", "-19", "--format", "zstd", first, zeros("second", HALF));
        assertThat(searches).hasValue(1);
    }

    @Test
    void cpuLooksForNone() throws IOException {
        run("compress", "-T", "1", "--engine", "cpu", "--format", "bzip2", zeros("first", 2 * HALF));
        assertThat(searches).hasValue(0);
    }

    @Test
    void thePropertyForEmergenciesKeepsTheToolOffDevices() throws IOException {
        System.setProperty(Settings.MODE_PROPERTY, "cpu");
        try {
            run("compress", "-T", "1", "--engine", "gpu", "--format", "bzip2", zeros("first", 2 * HALF));
        } finally {
            System.clearProperty(Settings.MODE_PROPERTY);
        }
        assertThat(searches).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"decompress -k", "verify", "info --decode", "recompress -k --format lz4", "decompress -c"})
    void readingVerbsSumTheFilesOfAFolder(String verb) throws IOException {
        compressed("first.bz2");
        Object[] words = (verb + " -T 1 -r " + folder).split(" ");
        if (!verb.startsWith("recompress")) {
            run(words);
            assertThat(searches).as("one file is too small").hasValue(0);
        }
        Files.deleteIfExists(folder.resolve("first"));
        compressed("second.bz2");
        run(words);
        assertThat(searches).hasValue(1);
    }

    @Test
    void infoDecodesNothingAndLooksForNone() throws IOException {
        compressed("first.bz2");
        compressed("second.bz2");
        run("info", "-T", "1", folder.resolve("first.bz2"), folder.resolve("second.bz2"));
        assertThat(searches).hasValue(0);
    }

    @Test
    void indexDoes() throws IOException {
        Path stored = folder.resolve("stored.gz");
        try (OutputStream out = Files.newOutputStream(stored);
                GZIPOutputStream gzip = new GZIPOutputStream(out) {
                    {
                        def.setLevel(Deflater.NO_COMPRESSION);
                    }
                }) {
            byte[] zeros = new byte[1 << 20];
            for (int times = 0; times < 80; times++) {
                gzip.write(zeros);
            }
        }
        run("index", "-T", "1", stored);
        assertThat(searches).hasValue(1);
    }

    @Test
    void aFileThatIsNotThereIsToldOnce() {
        ToolRun run = ToolRun.of("verify", folder.resolve("none.bz2"));
        assertThat(run.err().lines()).hasSize(1);
        assertThat(searches).hasValue(0);
    }
}
