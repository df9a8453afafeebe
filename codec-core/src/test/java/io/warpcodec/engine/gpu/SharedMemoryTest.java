package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripted devices whose multiprocessors have less shared memory than some kernels take. */
class SharedMemoryTest {
    /** What docs/user/performance.md says; such a device does the rest of its work all the same. */
    @ParameterizedTest
    @CsvSource({
        "7.5, 64, lz4 snappy",
        "8.6, 99, lz4 snappy",
        "8.0, 163, lz4 snappy bzip2 lz4.best zstd.fast zstd.default",
        "9.0, 227, lz4 snappy bzip2 lz4.best zstd.fast zstd.default zstd.high"
                + " gzip.fast gzip.default gzip.high gzip.best"
                + " deflate.fast deflate.default deflate.high deflate.best"
    })
    void eachGpuReadsAllAndWritesWhatThePageSays(String capability, int sharedKib, String writes) throws Exception {
        Set<String> loaded = load(sharedKib << 10);
        assertThat(loaded).containsAll(withPrefix(GpuPrograms.readers().keySet(), "decode."));
        assertThat(withPrefix(loaded, "encode."))
                .as("compute capability %s", capability)
                .containsExactlyInAnyOrderElementsOf(Set.of(writes.split(" ")).stream()
                        .map("encode."::concat)
                        .toList());
    }

    private static Set<String> withPrefix(Set<String> names, String prefix) {
        return names.stream().filter(name -> name.startsWith(prefix)).collect(Collectors.toSet());
    }

    private static Set<String> load(int sharedBytes) throws Exception {
        try (Device device =
                ScriptedGpu.newDriver(1).withSharedBytes(sharedBytes).open(0)) {
            Map<String, WaveProgram> loaded = new GpuPrograms().load(device);
            loaded.values().forEach(WaveProgram::close);
            return Set.copyOf(loaded.keySet());
        }
    }
}
