package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.TestSeed;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.zstd.ZstdHandOver;
import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.engine.zstd.ZstdTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plain decoder agrees with libzstd, and libzstd goes on wherever the plain one stops between two blocks. */
class ZstdHandOverTest {
    /** Windows that this test holds. */
    private static final long MOST_WINDOW_BYTES = 8 << 20;

    private static final String REFUSED = "refused";

    private final Random random = new Random(TestSeed.value());

    /** Borders between blocks, and how many of them no dictionary can say. */
    private int borders;

    private int unsaid;

    private record Border(ZstdPosition position, int at, int contentBytes) {}

    /** Decodes a frame, and has libzstd decode it from each border on; returns where it ends. */
    private int walk(byte[] file, int from) throws ZstdDefect {
        ZstdReferenceFrame frame = new ZstdReferenceFrame(file, from);
        long windowBytes = frame.header().windowBytes();
        List<Border> seen = new ArrayList<>();
        frame.block();
        while (!frame.ended()) {
            if (windowBytes <= MOST_WINDOW_BYTES) {
                ZstdReferenceDecoder state = frame.state();
                int contentBytes = (int) Math.min(state.contentBytes, windowBytes);
                ZstdPosition position = position(state, contentBytes, frame.nextModes());
                seen.add(new Border(position, frame.at(), state.contentBytes));
            }
            frame.block();
        }
        int checksumBytes = frame.header().checksum() ? 4 : 0;
        byte[] content = frame.content();
        for (Border border : seen) {
            borders++;
            if (border.position == null) {
                unsaid++;
                continue;
            }
            ByteArrayOutputStream rest = new ByteArrayOutputStream();
            ZstdPosition position = border.position;
            rest.writeBytes(ZstdHandOver.header(position, windowBytes));
            rest.write(file, border.at, frame.at() - checksumBytes - border.at);
            assertThat(Arrays.equals(
                            decode(
                                    rest.toByteArray(),
                                    ZstdHandOver.dictionary(position),
                                    content.length - border.contentBytes),
                            Arrays.copyOfRange(content, border.contentBytes, content.length)))
                    .as("from byte %d on, %d decoded", border.at, border.contentBytes)
                    .isTrue();
        }
        return frame.at();
    }

    /** Null where none can say the state. */
    private static ZstdPosition position(ZstdReferenceDecoder state, int contentBytes, int modes) {
        ZstdTable[] tables = new ZstdTable[ZstdTable.KINDS];
        for (int kind = 0; kind < tables.length; kind++) {
            ZstdFse table = state.tables[kind];
            if (table != null && table.counts() != null) {
                tables[kind] = new ZstdTable(ZstdTable.DESCRIBED, ZstdFse.description(table.log(), table.counts()));
            } else if (table != null && (modes >> 6 - 2 * kind & 3) == 3) {
                return null;
            }
        }
        byte[] history = Arrays.copyOfRange(state.content, state.contentBytes - contentBytes, state.contentBytes);
        byte[] tree = state.tree == null ? null : state.tree.description();
        boolean isSaid = Arrays.stream(state.repeated).allMatch(offset -> offset <= contentBytes);
        return isSaid ? new ZstdPosition(history, tree, tables, state.repeated, state.contentBytes, false) : null;
    }

    private static byte[] decode(byte[] frame, byte[] dictionary, int mostBytes) {
        try (ZstdDictDecompress loaded = new ZstdDictDecompress(dictionary);
                ZstdDecompressCtx context = new ZstdDecompressCtx()) {
            context.loadDict(loaded);
            return context.decompress(frame, Math.max(1, mostBytes));
        }
    }

    private static byte[] compress(byte[] raw, int level, int windowLog) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(level).setChecksum(true);
            if (windowLog > 0) {
                context.setWindowLog(windowLog);
            }
            return context.compress(raw);
        }
    }

    private byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        random.nextBytes(noise);
        return noise;
    }

    private List<byte[]> inputs() {
        byte[] columns = new byte[900_000];
        for (int at = 0; at < columns.length; at++) {
            columns[at] = (byte) (at % 20 < 15 ? ' ' : '0' + random.nextInt(10));
        }
        return List.of(
                GpuStreams.text(1_500_000, TestSeed.value()),
                GpuStreams.mixture(1_500_000, TestSeed.value()),
                columns,
                noise(400_000),
                new byte[700_000]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 9, 19})
    void libzstdGoesOnFromEveryBorder(int level) throws ZstdDefect {
        for (byte[] raw : inputs()) {
            for (int windowLog : new int[] {0, 16, 17}) {
                byte[] file = compress(raw, level, windowLog);
                ZstdReferenceFrame whole = new ZstdReferenceFrame(file, 0);
                while (!whole.ended()) {
                    whole.block();
                }
                assertThat(Arrays.equals(whole.content(), raw)).isTrue();
                assertThat(walk(file, 0)).isEqualTo(file.length);
            }
        }
        assertThat(borders).isGreaterThan(90);
        assertThat(unsaid).isLessThan(borders / 10);
    }

    /** Frames of other encoders, with all that the format allows: one symbol in a table, for instance. */
    @Test
    void decodecorpusIsHandedOver() throws IOException {
        Path folder = Path.of(System.getProperty("warpcodec.vectors", "../../shared/vectors"), "zstd");
        Assumptions.assumeTrue(Files.isDirectory(folder), () -> "no vectors at " + folder.toAbsolutePath());
        int files = 0;
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(each -> each.toString().contains("decodecorpus")
                            && each.toString().endsWith(".zst"))
                    .sorted()
                    .toList()) {
                byte[] bytes = Files.readAllBytes(file);
                byte[] theirs = Zstd.decompress(bytes, (int) Math.max(1 << 20, Zstd.decompressedSize(bytes)));
                try {
                    assertThat(walk(bytes, 0)).as("%s", file).isEqualTo(bytes.length);
                    ZstdReferenceFrame whole = new ZstdReferenceFrame(bytes, 0);
                    while (!whole.ended()) {
                        whole.block();
                    }
                    assertThat(Arrays.equals(whole.content(), theirs))
                            .as("%s", file)
                            .isTrue();
                } catch (ZstdDefect defect) {
                    throw new AssertionError(file + ": " + defect.getMessage(), defect);
                }
                files++;
            }
        }
        System.out.printf("%d frames, %d borders, of which %d cannot be said%n", files, borders, unsaid);
        assertThat(borders).isGreaterThan(1000);
    }

    /**
     * Where bits are flipped, the two never decode a frame to different bytes. libzstd alone decodes some frames whose
     * literals do not end with their bits, and leaves them to the checksum. Hardly any does it refuse alone.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 19})
    void damageIsJudgedAsLibzstdJudgesIt(int level) {
        byte[] raw = Arrays.copyOf(GpuStreams.mixture(300_000, TestSeed.value()), 20_000);
        byte[] good = compress(raw, level, 0);
        int rounds = 3000;
        int acceptedAlone = 0;
        for (int round = 0; round < rounds; round++) {
            byte[] bad = good.clone();
            // behind the header, and in front of the checksum, which this test leaves out
            int at = 9 + random.nextInt(good.length - 13);
            bad[at] ^= (byte) (1 << random.nextInt(8));
            String mine = mine(bad);
            String theirs = theirs(bad);
            if (theirs.equals(REFUSED)) {
                acceptedAlone += mine.equals(REFUSED) ? 0 : 1;
            } else if (!mine.equals(REFUSED)) {
                assertThat(mine)
                        .as("seed %d, round %d, byte %d", TestSeed.value(), round, at)
                        .isEqualTo(theirs);
            }
        }
        assertThat(acceptedAlone).isLessThan(rounds / 100);
    }

    private static String mine(byte[] file) {
        try {
            ZstdReferenceFrame frame = new ZstdReferenceFrame(file, 0);
            while (!frame.ended()) {
                frame.block();
            }
            return frame.at() == file.length ? "hash " + Arrays.hashCode(frame.content()) : REFUSED;
        } catch (ZstdDefect defect) {
            return REFUSED;
        }
    }

    private static String theirs(byte[] file) {
        byte[] unchecked = Arrays.copyOf(file, file.length - 4);
        unchecked[4] &= ~4;
        try {
            return "hash " + Arrays.hashCode(Zstd.decompress(unchecked, 1 << 20));
        } catch (ZstdException refused) {
            return REFUSED;
        }
    }
}
