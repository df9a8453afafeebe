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
 * No loop of a kernel is unrolled by an odd number of turns but 1. nvcc 13.0 leaves out the rest of such a loop where
 * its number of turns is {@code min(N * k, count - N
 * * group)}, N a multiple of that number and {@code count} any: it takes the number of turns for a multiple, and the
 *   loop goes on behind its end (docs/kernels/README.md).
 */
class KernelUnrollingTest {
    private static final List<Path> SOURCES = List.of(
            Path.of("..", "kernels", "src", "main", "cuda"), Path.of("..", "benchmarks", "src", "main", "cuda"));
    private static final Pattern UNROLL = Pattern.compile("(?m)^\\s*#pragma\\s+unroll\\s+(\\d+)\\s*$");

    @TempDir
    Path folder;

    private static List<String> oddOnes(Path sources) throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(sources)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher unroll = UNROLL.matcher(Files.readString(file));
                while (unroll.find()) {
                    int turns = Integer.parseInt(unroll.group(1));
                    if (turns != 1 && turns % 2 == 1) {
                        found.add(
                                sources.relativize(file) + ": " + unroll.group().strip());
                    }
                }
            }
        }
        return found;
    }

    @Test
    void noLoopIsUnrolledByAnOddNumberOfTurns() throws IOException {
        for (Path sources : SOURCES) {
            assertThat(oddOnes(sources)).as(sources.toString()).isEmpty();
        }
    }

    @Test
    void anOddNumberIsFound() throws IOException {
        Files.writeString(
                folder.resolve("a.cuh"), "#pragma unroll 1\n#pragma unroll\n#pragma unroll 10\n  #pragma unroll 5\n");
        assertThat(oddOnes(folder)).containsExactly("a.cuh: #pragma unroll 5");
    }
}
