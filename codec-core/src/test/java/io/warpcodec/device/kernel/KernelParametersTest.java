package io.warpcodec.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every kernel takes one struct, whose size and layout its module exports, so that the Java side can set the fields
 * by name.
 */
class KernelParametersTest {
    private static final Path SOURCES = Path.of("..", "kernels", "src", "main", "cuda");
    private static final Pattern ENTRY =
            Pattern.compile("__global__\\s+void\\s+(?:__launch_bounds__\\([^)]*\\)\\s*)?(\\w+)\\(([^)]*)\\)");
    private static final Pattern ONE_STRUCT = Pattern.compile("const (?:__grid_constant__ )?([A-Z]\\w+) \\w+");

    @Test
    void everyKernelTakesOneStructThatIsExported() throws IOException {
        assertThat(defects(SOURCES)).isEmpty();
    }

    @Test
    void allKernelsAreLookedAt() throws IOException {
        List<String> entries = new ArrayList<>();
        for (Path file : files(SOURCES)) {
            String text = Files.readString(file);
            assertThat(text.split("__global__", -1))
                    .hasSize(1 + (int) ENTRY.matcher(text).results().count());
            ENTRY.matcher(text).results().forEach(entry -> entries.add(entry.group(1)));
        }
        assertThat(entries).contains("lz4_decode_blocks", "deflate_encode_join").hasSizeGreaterThan(30);
    }

    @Test
    void whatElseAKernelTakesIsFound(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a.cu"), """
                extern "C" __global__ void __launch_bounds__(64) a_many(const uint8_t* input, uint32_t count) {}
                extern "C" __global__ void a_pointer(const Batch* batch) {}
                extern "C" __global__ void a_unknown(const Batch batch) {}
                extern "C" __global__ void a_sound(const __grid_constant__ Other other) {}
                __device__ uint32_t a_other_bytes = sizeof(Other);
                """);
        assertThat(defects(folder))
                .containsExactly(
                        "a_many: no struct alone", "a_pointer: no struct alone", "a_unknown: Batch is not exported");
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".cu"))
                    .sorted()
                    .toList();
        }
    }

    private static List<String> defects(Path folder) throws IOException {
        List<String> defects = new ArrayList<>();
        for (Path file : files(folder)) {
            String text = Files.readString(file);
            for (Matcher entry = ENTRY.matcher(text); entry.find(); ) {
                Matcher struct = ONE_STRUCT.matcher(entry.group(2));
                if (!struct.matches()) {
                    defects.add(entry.group(1) + ": no struct alone");
                } else if (!text.contains("_bytes = sizeof(" + struct.group(1) + ");")) {
                    defects.add(entry.group(1) + ": " + struct.group(1) + " is not exported");
                }
            }
        }
        return defects;
    }
}
