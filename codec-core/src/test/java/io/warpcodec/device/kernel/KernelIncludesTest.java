package io.warpcodec.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The laws of the kernels' folders, read off the {@code #include} lines. A folder is a stage; {@code common} serves
 * all of them.
 */
class KernelIncludesTest {

    private static final Path SOURCES = Path.of("..", "kernels", "src", "main", "cuda");
    private static final String COMMON = "common";
    private static final Pattern INCLUDE = Pattern.compile("(?m)^\\s*#\\s*include\\s+\"([^\"]+)\"");
    /** A status code, a warp's width or a sum over its lanes. */
    private static final Pattern COMMON_DEFINITION = Pattern.compile(
            "(?m)^\\s*(?:constexpr\\s+\\w+\\s+)?(STATUS_\\w+|WARP_LANES|ALL_LANES)\\s*=[^=]|\\b(warp_inclusive_sum)\\(uint32_t value");

    /** A stage that includes another one, and why it may. */
    private record Pair(String stage, String builtOn, String reason) {}

    private static final List<Pair> ALLOWED = List.of(
            new Pair("lz4", "lz77", "a block is literals and matches"),
            new Pair("snappy", "lz77", "a block is literals and matches"),
            new Pair("deflate", "huffman", "a block has two prefix codes, and a third for their lengths"),
            new Pair("deflate", "lz77", "matches are gathered slab by slab, as those of LZ4 are"),
            new Pair("deflate_decode", "deflate", "reads the format"),
            new Pair("deflate_decode", "lz77", "a cta writes slabs as it does for zstd"),
            new Pair("deflate_stream", "deflate", "reads the format"),
            new Pair("deflate_stream", "lz77", "sources are followed as those of long LZ4 blocks are"),
            new Pair("deflate_encode", "deflate", "writes the format"),
            new Pair("deflate_encode", "huffman", "builds and writes prefix codes"),
            new Pair("bzip2", "bwt", "a block's text was sorted"),
            new Pair("bzip2", "mtf", "the sorted column is ranks and runs"),
            new Pair("bzip2", "checksum", "the CRC of a block is CRC-32 with the bits turned round"),
            new Pair("bwt_encode", "sort", "sorts rotations by their keys, and large groups of them again"),
            new Pair("mtf_encode", "bwt_encode", "takes its column"),
            new Pair("bzip2_encode", "bwt_encode", "gives it the text, takes its rows"),
            new Pair("bzip2_encode", "mtf_encode", "takes its symbols"),
            new Pair("bzip2_encode", "huffman", "builds prefix codes"),
            new Pair("bzip2_encode", "checksum", "arithmetic of CRC-32"),
            new Pair("bzip2_encode", "sort", "sums over a cta"),
            new Pair("zstd", "fse", "sequences and weights are read by tables of states"),
            new Pair("zstd", "huffman", "ranks the weights of literals"),
            new Pair("zstd", "lz77", "matches are gathered, and sources followed, as those of long LZ4 blocks are"),
            new Pair("zstd_encode", "zstd", "writes the format"),
            new Pair("zstd_encode", "fse", "builds tables of states, and writes by them"),
            new Pair("zstd_encode", "huffman", "builds and writes prefix codes"),
            new Pair("zstd_encode", "deflate_encode", "near matches are found and chosen as DEFLATE's are"),
            new Pair("suffixarray", "bwt_encode", "sorts the rotations of frames as those of blocks"),
            new Pair("suffixarray", "sort", "passes of 8 bits"),
            new Pair("nearest", "sort", "deals places to buckets, stably"),
            new Pair("plz", "ansv", "two candidates of a place"),
            new Pair("plz", "nearest", "the other candidates"),
            new Pair("plz", "bwt_encode", "writes its entries"),
            new Pair("plz", "zstd", "prices are of its symbols"),
            new Pair("plz", "zstd_encode", "gives it matches and literals"),
            new Pair("lz4_price", "lz4", "writes the format"),
            new Pair("lz4_price", "bwt_encode", "writes entries for the order of places"),
            new Pair("lz4_price", "plz", "compares text"));

    @Test
    void everyStageIncludesOnlyItselfWhatAllShareAndWhatItIsBuiltOn() throws IOException {
        assertThat(defects(SOURCES)).isEmpty();
    }

    @Test
    void everyPairThatIsAllowedIsNeeded() throws IOException {
        Set<String> found = new TreeSet<>();
        includes(SOURCES)
                .forEach((file, targets) -> targets.forEach(target -> found.add(stage(file) + " " + stage(target))));
        assertThat(found)
                .containsAll(ALLOWED.stream()
                        .map(pair -> pair.stage + " " + pair.builtOn)
                        .toList());
    }

    @Test
    void theFormatsThatDevicesReadOrWriteHaveAFolderEach() throws IOException {
        assertThat(includes(SOURCES).keySet().stream().map(KernelIncludesTest::stage))
                .contains(
                        COMMON,
                        "lz4",
                        "lz4_price",
                        "snappy",
                        "deflate_decode",
                        "deflate_encode",
                        "deflate_stream",
                        "huffman",
                        "checksum",
                        "bzip2",
                        "zstd",
                        "zstd_encode");
    }

    @Test
    void anIncludeThatIsNotListedIsFound(@TempDir Path folder) throws IOException {
        write(folder, "snappy/snappy.cu", "#include \"../lz4/lz4_parse.cuh\"\n");
        write(folder, "lz4/lz4_parse.cuh", "#include \"../common/warp.cuh\"\n");
        write(folder, "common/warp.cuh", "");
        assertThat(defects(folder)).containsExactly("snappy/snappy.cu: snappy is not built on lz4 (lz4/lz4_parse.cuh)");
    }

    @Test
    void whatAllShareIncludesNoStage(@TempDir Path folder) throws IOException {
        write(folder, "common/warp.cuh", "#include \"../lz77/lz77_raw.cuh\"\n");
        write(folder, "lz77/lz77_raw.cuh", "");
        assertThat(defects(folder)).containsExactly("common/warp.cuh: common is not built on lz77 (lz77/lz77_raw.cuh)");
    }

    @Test
    void aCycleIsFound(@TempDir Path folder) throws IOException {
        write(folder, "lz77/lz77_a.cuh", "#include \"lz77_b.cuh\"\n");
        write(folder, "lz77/lz77_b.cuh", "  #  include \"lz77_a.cuh\"\n");
        assertThat(defects(folder))
                .containsExactly("lz77/lz77_a.cuh: includes itself", "lz77/lz77_b.cuh: includes itself");
    }

    @Test
    void whatIsMissingOrAnEntryPointIsFound(@TempDir Path folder) throws IOException {
        write(folder, "lz4/lz4_parse.cuh", "#include \"lz4_gone.cuh\"\n#include \"lz4.cu\"\n");
        write(folder, "lz4/lz4.cu", "");
        assertThat(defects(folder))
                .containsExactly(
                        "lz4/lz4_parse.cuh: no file lz4/lz4_gone.cuh",
                        "lz4/lz4_parse.cuh: includes entry points (lz4/lz4.cu)");
    }

    @Test
    void aSecondDefinitionOfWhatAllShareIsFound(@TempDir Path folder) throws IOException {
        write(folder, "common/status.cuh", "    STATUS_SOUND = 0,\n");
        write(
                folder,
                "lz4/lz4_parse.cuh",
                "constexpr uint32_t STATUS_BAD_THING = 9;\nif (status == STATUS_SOUND) {}\n");
        write(folder, "lz4/lz4_policy.cuh", "constexpr int WARP_LANES = 32;\n");
        assertThat(defects(folder))
                .containsExactly(
                        "lz4/lz4_parse.cuh: defines STATUS_BAD_THING, as common does or should",
                        "lz4/lz4_policy.cuh: defines WARP_LANES, as common does or should");
    }

    @Test
    void aFileThatIsNotNamedForItsStageIsFound(@TempDir Path folder) throws IOException {
        write(folder, "lz4/parse.cuh", "");
        write(folder, "lz4/snappy.cu", "");
        write(folder, "common/warp.cuh", "");
        assertThat(defects(folder))
                .containsExactly("lz4/parse.cuh: not named for its stage", "lz4/snappy.cu: not named for its stage");
    }

    private static void write(Path folder, String file, String content) throws IOException {
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), content);
    }

    /** The quoted includes of each file, both as paths below the folder. */
    private static Map<String, List<String>> includes(Path folder) throws IOException {
        Map<String, List<String>> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher matcher = INCLUDE.matcher(Files.readString(file));
                List<String> targets = new ArrayList<>();
                while (matcher.find()) {
                    targets.add(folder.relativize(
                                    file.resolveSibling(matcher.group(1)).normalize())
                            .toString());
                }
                found.put(folder.relativize(file).toString(), targets);
            }
        }
        return found;
    }

    private static String stage(String file) {
        return file.substring(0, Math.max(0, file.indexOf('/')));
    }

    private static List<String> defects(Path folder) throws IOException {
        Path sources = folder.toAbsolutePath().normalize();
        Map<String, List<String>> includes = includes(sources);
        Set<String> allowed =
                ALLOWED.stream().map(pair -> pair.stage + " " + pair.builtOn).collect(Collectors.toSet());
        List<String> defects = new ArrayList<>();
        for (String file : includes.keySet()) {
            String own = stage(file);
            String name = file.substring(file.indexOf('/') + 1);
            boolean named = own.equals(COMMON)
                    ? name.endsWith(".cuh")
                    : name.equals(own + ".cu") || name.matches(own + "_\\w+\\.cuh");
            if (!named) {
                defects.add(file + ": not named for its stage");
            }
            for (String target : includes.get(file)) {
                String other = stage(target);
                if (!includes.containsKey(target)) {
                    defects.add(file + ": no file " + target);
                } else if (target.endsWith(".cu")) {
                    defects.add(file + ": includes entry points (" + target + ")");
                } else if (!other.equals(own) && !other.equals(COMMON) && !allowed.contains(own + " " + other)) {
                    defects.add(file + ": " + own + " is not built on " + other + " (" + target + ")");
                }
            }
            if (reached(file, includes).contains(file)) {
                defects.add(file + ": includes itself");
            }
            Matcher definition = COMMON_DEFINITION.matcher(Files.readString(sources.resolve(file)));
            while (!own.equals(COMMON) && definition.find()) {
                String what = definition.group(1) != null ? definition.group(1) : definition.group(2);
                defects.add(file + ": defines " + what + ", as common does or should");
            }
        }
        return defects;
    }

    /** All that a file includes, and what that includes, and so on. */
    private static Set<String> reached(String file, Map<String, List<String>> includes) {
        Set<String> reached = new HashSet<>();
        List<String> open = new ArrayList<>(includes.get(file));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (reached.add(next)) {
                open.addAll(includes.getOrDefault(next, List.of()));
            }
        }
        return reached;
    }
}
