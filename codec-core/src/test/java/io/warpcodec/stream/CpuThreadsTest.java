package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Streams with {@code cpu.threads} above 1: the same bytes as with one thread, both ways. */
class CpuThreadsTest {
    private static final int THREADS = 3;
    private static final int CHUNK_BYTES = 16 << 10;
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withChunkBytes(CHUNK_BYTES);

    @AfterEach
    void oneThreadAgain() {
        Engines.useCpuThreads(1);
    }

    private static Set<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("warpcodec cpu "))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @EnumSource
    void everySizeGivesTheSameBytesAsOneThread(Format format) throws IOException {
        StreamRig rig = new StreamRig(format, OPTIONS);
        Set<Thread> before = workers();
        for (int size : new int[] {0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 100 * CHUNK_BYTES + 7}) {
            byte[] raw = StreamRig.text(size, size);
            Engines.useCpuThreads(1);
            byte[] file = rig.write(raw);
            Engines.useCpuThreads(THREADS);
            assertThat(rig.write(raw)).as("%d bytes", size).isEqualTo(file);
            assertThat(rig.read(file)).as("%d bytes", size).isEqualTo(raw);
            assertThat(rig.read(file, 1000, 333)).as("%d bytes in pieces", size).isEqualTo(raw);
        }
        Set<Thread> since = workers();
        since.removeAll(before);
        assertThat(since).as("threads that work").hasSizeGreaterThanOrEqualTo(THREADS);
    }

    @ParameterizedTest
    @EnumSource
    void damageIsReportedAsWithOneThread(Format format) throws IOException {
        StreamRig rig = new StreamRig(format, OPTIONS);
        byte[] file = rig.write(StreamRig.text(40 * CHUNK_BYTES, 4));
        for (int at = file.length / 2; at < file.length; at += file.length / 7) {
            byte[] bad = StreamRig.flipped(StreamRig.cut(file, file.length - 1), 8 * at);
            Engines.useCpuThreads(1);
            String one = verdict(rig, bad);
            Engines.useCpuThreads(THREADS);
            assertThat(verdict(rig, bad)).isEqualTo(one);
        }
    }

    private static String verdict(StreamRig rig, byte[] file) {
        try {
            return "reads " + rig.read(file).length;
        } catch (IOException bad) {
            return bad.getClass().getName() + ": " + bad.getMessage();
        }
    }

    @Test
    void fewerThreadsThanOneAreRefused() {
        assertThatThrownBy(() -> Engines.useCpuThreads(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
