package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.engine.gpu.block.TrialMemory;
import io.warpcodec.forge.ZstdDefects;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of frames on a device, between canaries: each decodes to what libzstd decodes it to, or is refused. */
abstract class ZstdDecoderContract {
    private static final int MARGIN_BYTES = 100;
    private static final int FEW = 7;
    private static final int MANY = 40;
    /** What a wave's input is a multiple of: kernels read whole words. */
    private static final int INPUT_MULTIPLE_BYTES = 16;

    final Random random = new Random(TestSeed.value());
    private Device device;
    private DeviceStream stream;
    private ZstdGpuDecoder decoder;

    /** A device that runs zstd's kernels. */
    abstract Device openDevice() throws DeviceException;

    /** How many damaged frames are tried. */
    abstract int damagedFrames();

    @BeforeEach
    void open() throws DeviceException, KernelUnavailableException {
        device = openDevice();
        stream = device.openStream();
        decoder = ZstdGpuDecoder.open(device);
    }

    @AfterEach
    void close() throws DeviceException {
        decoder.close();
        stream.close();
        device.close();
    }

    /** A frame with its plan, which a device takes. */
    private record Planned(byte[] frame, DecodePlan plan) {
        static Planned of(byte[] frame) {
            return new Planned(frame, ZstdPlans.frame(ZstdBlocksTest.chunk(frame), Integer.MAX_VALUE));
        }

        byte[] input() {
            byte[] record = plan.bodies().get(0).preamble();
            byte[] input = Arrays.copyOf(record, record.length + frame.length);
            System.arraycopy(frame, 0, input, record.length, frame.length);
            return input;
        }
    }

    /** What a device made of a frame; null if it refused it. */
    private List<byte[]> decode(List<Planned> frames) throws DeviceException {
        int count = frames.size();
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        long[] inputAt = new long[count];
        long[] inputBytes = new long[count];
        long[] slotAt = new long[count];
        long[] slotBytes = new long[count];
        int outputAt = MARGIN_BYTES;
        for (int index = 0; index < count; index++) {
            byte[] one = frames.get(index).input();
            input.writeBytes(
                    new byte
                            [(ZstdRecord.ALIGNMENT_BYTES - input.size() % ZstdRecord.ALIGNMENT_BYTES)
                                    % ZstdRecord.ALIGNMENT_BYTES]);
            inputAt[index] = input.size();
            inputBytes[index] = one.length;
            input.writeBytes(one);
            slotAt[index] = outputAt;
            slotBytes[index] = frames.get(index).plan().rawBytes();
            // slots lie at any place
            outputAt += frames.get(index).plan().rawBytes() + random.nextInt(5);
        }
        input.writeBytes(new byte[INPUT_MULTIPLE_BYTES - input.size() % INPUT_MULTIPLE_BYTES]);
        int tableBytes = Math.toIntExact(decoder.workspaceBytes(count));
        try (TrialMemory memory = new TrialMemory(device, stream)) {
            DeviceBuffer target = memory.poisoned(outputAt + MARGIN_BYTES);
            PinnedBuffer staging = memory.staging(tableBytes);
            DeviceBlocks blocks = new DeviceBlocks(
                    memory.holding(input.toByteArray()),
                    new ChunkRanges(inputAt, inputBytes),
                    target,
                    new ChunkRanges(slotAt, slotBytes));
            DeviceBuffer scratch = memory.filled(decoder.scratchBytes(outputAt, count), (byte) 0x5C);
            decoder.enqueue(blocks, new LaunchMemory(memory.poisoned(tableBytes), staging, scratch, stream));
            byte[] output = memory.bytes(target);
            BlockResult[] results = decoder.results(count, staging);
            List<byte[]> decoded = new ArrayList<>();
            int free = 0;
            for (int index = 0; index < count; index++) {
                int at = (int) slotAt[index];
                int end = at + (int) slotBytes[index];
                TrialMemory.requireCanary("in front of frame " + index, output, free, at);
                decoded.add(results[index].isSound() ? Arrays.copyOfRange(output, at, end) : null);
                free = end;
            }
            TrialMemory.requireCanary("behind", output, free, output.length);
            return decoded;
        }
    }

    /** In batches of a few frames, whose bytes are written tile by tile, and of many, which a cta each writes. */
    private void assertDecoded(List<byte[]> frames, List<byte[]> raw) throws DeviceException {
        assertDecoded(frames, raw, FEW, 0);
        assertDecoded(frames, raw, MANY, ZstdKernels.LEAST_WRITE_FRAMES);
    }

    private void assertDecoded(List<byte[]> frames, List<byte[]> raw, int most, int least) throws DeviceException {
        for (int first = 0; first < frames.size(); first += most) {
            List<byte[]> expected = new ArrayList<>(raw.subList(first, Math.min(frames.size(), first + most)));
            List<byte[]> batch = new ArrayList<>(frames.subList(first, first + expected.size()));
            while (batch.size() < least) {
                expected.add(data(random.nextInt(BlockData.KINDS), 1 + random.nextInt(100)));
                batch.add(compress(expected.get(batch.size()), 3, false, 0));
            }
            List<Planned> planned = batch.stream().map(Planned::of).toList();
            planned.forEach(one -> assertThat(one.plan().refusal()).isNull());
            List<byte[]> decoded = decode(planned);
            for (int index = 0; index < decoded.size(); index++) {
                assertThat(Arrays.equals(decoded.get(index), expected.get(index)))
                        .as(
                                "seed %d, frame %d of %d bytes, batches of %d",
                                TestSeed.value(), first + index, expected.get(index).length, most)
                        .isTrue();
            }
        }
    }

    private static byte[] compress(byte[] raw, int level, boolean checksum, int windowLog) {
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            context.setLevel(level).setChecksum(checksum);
            if (windowLog > 0) {
                context.setWindowLog(windowLog);
            }
            return context.compress(raw);
        }
    }

    private byte[] data(int kind, int bytes) {
        return switch (kind - BlockData.KINDS) {
            case 0 -> GpuStreams.mixture(bytes, random.nextLong());
            case 1 -> GpuStreams.text(bytes, random.nextLong());
            default -> BlockData.make(random, kind, bytes);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 9, 19})
    void framesOfEveryKindOfDataAndManyLengths(int level) throws DeviceException {
        List<byte[]> frames = new ArrayList<>();
        List<byte[]> raw = new ArrayList<>();
        for (int kind = 0; kind < BlockData.KINDS + 2; kind++) {
            for (int bytes : new int[] {1, 2, 63, 2047, 2048, 2049, 20_000, 128 << 10, 300_000}) {
                byte[] one = data(kind, bytes);
                raw.add(one);
                frames.add(compress(one, level, random.nextBoolean(), 0));
            }
        }
        assertDecoded(frames, raw);
    }

    @Test
    void longFramesAndShortWindows() throws DeviceException {
        List<byte[]> frames = new ArrayList<>();
        List<byte[]> raw = new ArrayList<>();
        for (int windowLog : new int[] {13, 16, 0}) {
            byte[] one = GpuStreams.mixture(1_500_000, random.nextLong());
            raw.add(one);
            frames.add(compress(one, 3, true, windowLog));
        }
        byte[] most = GpuStreams.text(ZstdPlans.MOST_FRAME_BYTES, random.nextLong());
        raw.add(most);
        frames.add(compress(most, 1, true, 0));
        assertDecoded(frames, raw);
    }

    /** A frame that repeats bytes at each distance. */
    @Test
    void everyPeriod() throws DeviceException {
        List<byte[]> frames = new ArrayList<>();
        List<byte[]> raw = new ArrayList<>();
        for (int period = 1; period <= 300; period++) {
            byte[] one = new byte[5_000];
            for (int at = 0; at < one.length; at++) {
                one[at] = at < period ? (byte) random.nextInt() : one[at - period];
            }
            raw.add(one);
            frames.add(compress(one, 3, false, 0));
        }
        assertDecoded(frames, raw);
    }

    /** Records of which one byte changes: the way back to a byte leads through thousands of them. */
    @Test
    void deepChainsOfMatches() throws DeviceException {
        byte[] raw = new byte[1 << 20];
        byte[] row = new byte[97];
        random.nextBytes(row);
        for (int at = 0; at < raw.length; at += row.length) {
            row[random.nextInt(row.length)] = (byte) random.nextInt();
            System.arraycopy(row, 0, raw, at, Math.min(row.length, raw.length - at));
        }
        assertDecoded(List.of(compress(raw, 3, true, 0), compress(raw, 19, true, 0)), List.of(raw, raw));
    }

    /** Frames of other encoders, those that a device takes. */
    @Test
    void vectorsAreDecoded() throws IOException, DeviceException {
        Path folder = Path.of(System.getProperty("warpcodec.vectors", "../../shared/vectors"), "zstd");
        Assumptions.assumeTrue(Files.isDirectory(folder), () -> "no vectors at " + folder.toAbsolutePath());
        List<byte[]> frames = new ArrayList<>();
        List<byte[]> raw = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(each -> each.toString().endsWith(".zst"))
                    .sorted()
                    .toList()) {
                byte[] frame = Files.readAllBytes(file);
                if (Planned.of(frame).plan().refusal() == null && libzstd(frame) != null) {
                    frames.add(frame);
                    raw.add(libzstd(frame));
                }
            }
        }
        assertDecoded(frames, raw);
        assertThat(frames).hasSizeGreaterThan(100);
    }

    private static byte[] libzstd(byte[] frame) {
        try {
            return Zstd.decompress(frame, Math.toIntExact(Zstd.getFrameContentSize(frame)));
        } catch (ZstdException | ArithmeticException bad) {
            return null;
        }
    }

    /**
     * Sound frames are decoded, and those that libzstd tolerates. Each defect is refused by the host or, beside sound
     * frames, by the device.
     */
    @Test
    void defectsAreRefusedByName() throws DeviceException {
        Map<String, byte[]> sound = new LinkedHashMap<>(ZstdDefects.sound());
        sound.putAll(ZstdDefects.tolerated());
        List<byte[]> raw =
                sound.values().stream().map(ZstdDecoderContract::libzstd).toList();
        assertDecoded(List.copyOf(sound.values()), raw);
        Map<String, Planned> taken = new LinkedHashMap<>();
        ZstdDefects.all().forEach((name, frame) -> {
            Planned planned = Planned.of(frame);
            if (planned.plan().refusal() == null) {
                taken.put(name, planned);
            }
        });
        assertThat(taken).hasSizeGreaterThan(ZstdDefects.all().size() / 2);
        Planned good = Planned.of(sound.values().iterator().next());
        for (int beside : new int[] {1, ZstdKernels.LEAST_WRITE_FRAMES}) {
            taken.forEach((name, bad) -> {
                List<Planned> batch = new ArrayList<>(Collections.nCopies(beside, good));
                batch.add(bad);
                assertThat(decodedOrNot(batch)).as(name).isEqualTo("+".repeat(beside) + "-");
            });
        }
    }

    /** A plus for each frame that is decoded. */
    private String decodedOrNot(List<Planned> batch) {
        StringBuilder verdicts = new StringBuilder();
        try {
            decode(batch).forEach(one -> verdicts.append(one == null ? '-' : '+'));
        } catch (DeviceException failed) {
            throw new AssertionError(failed);
        }
        return verdicts.toString();
    }

    /**
     * Damaged frames, some with damaged records too, beside a sound one: what is decoded is what libzstd decodes, and
     * what libzstd refuses is refused. No checksum helps.
     */
    @Test
    void damageHarmsNoOtherFrame() throws DeviceException {
        int taken = 0;
        int refused = 0;
        for (int tried = 0; tried < damagedFrames(); ) {
            byte[] raw = data(random.nextInt(BlockData.KINDS + 2), 1 + random.nextInt(30_000));
            byte[] good = compress(raw, random.nextBoolean() ? 3 : 19, false, 0);
            List<Planned> batch = new ArrayList<>();
            List<byte[]> expected = new ArrayList<>();
            int turns = random.nextBoolean() ? MANY / 2 : 2 * MANY;
            for (int turn = 0; turn < turns; turn++, tried++) {
                byte[] bad = good.clone();
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    bad[5 + random.nextInt(bad.length - 5)] ^= (byte) (1 << random.nextInt(8));
                }
                Planned planned = Planned.of(bad);
                if (planned.plan().refusal() == null) {
                    batch.add(planned);
                    expected.add(libzstd(bad));
                }
            }
            batch.add(Planned.of(good));
            expected.add(raw);
            List<byte[]> decoded = decode(batch);
            for (int index = 0; index < decoded.size(); index++) {
                byte[] found = decoded.get(index);
                taken += found == null ? 0 : 1;
                refused += found == null ? 1 : 0;
                assertThat(found == null || Arrays.equals(found, expected.get(index)))
                        .as("seed %d, %d frames before", TestSeed.value(), tried)
                        .isTrue();
            }
            assertThat(decoded.get(decoded.size() - 1) != null).isTrue();
        }
        assertThat(taken).isPositive();
        assertThat(refused).isPositive();
    }
}
