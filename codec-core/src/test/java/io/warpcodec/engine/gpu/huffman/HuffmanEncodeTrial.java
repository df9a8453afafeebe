package io.warpcodec.engine.gpu.huffman;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.TrialMemory;
import io.warpcodec.engine.gpu.huffman.HuffmanGpuEncoder.Result;
import io.warpcodec.engine.gpu.huffman.HuffmanGpuEncoder.Source;
import io.warpcodec.engine.gpu.huffman.HuffmanReference.Encoded;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/** A batch of ranges to encode, at odd places, with canaries between their outputs. Behind these, in the same memory, lie the lengths. */
final class HuffmanEncodeTrial {
    private static final int SYMBOLS = HuffmanGpuBuilder.BYTE_SYMBOLS;

    private final Device device;
    private final DeviceStream stream;
    private final Random random;
    private final List<byte[]> raws = new ArrayList<>();
    private final List<byte[]> codes = new ArrayList<>();
    private final List<Encoded> expected = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final ByteArrayOutputStream input = new ByteArrayOutputStream();
    private final ByteArrayOutputStream lengths = new ByteArrayOutputStream();
    private int outputBytes;

    HuffmanEncodeTrial(Device device, DeviceStream stream, Random random) {
        this.device = device;
        this.stream = stream;
        this.random = random;
    }

    void add(byte[] raw) {
        add(raw, HuffmanReference.lengths(raw));
    }

    void add(byte[] raw, byte[] wordLengths) {
        add(raw, wordLengths, HuffmanReference.encode(raw, wordLengths).length + random.nextInt(3));
    }

    void add(byte[] raw, byte[] wordLengths, int limitBytes) {
        raws.add(raw);
        codes.add(wordLengths);
        expected.add(HuffmanReference.tryEncode(raw, wordLengths, limitBytes));
        input.writeBytes(new byte[random.nextInt(20)]);
        lengths.writeBytes(new byte[random.nextInt(9)]);
        outputBytes += random.nextInt(9);
        sources.add(new Source(input.size(), raw.length, lengths.size(), outputBytes, limitBytes));
        input.writeBytes(raw);
        lengths.writeBytes(wordLengths);
        outputBytes += limitBytes;
    }

    int count() {
        return sources.size();
    }

    long soundCount() {
        return expected.stream()
                .filter(encoded -> encoded.status() == Status.SOUND)
                .count();
    }

    /** Encodes, compares, and decodes what was encoded. */
    Result[] check(String what) throws Exception {
        int capacityBytes = outputBytes + 16;
        byte[] image = new byte[(capacityBytes + lengths.size() + 7) / 8 * 8];
        Arrays.fill(image, TrialMemory.CANARY);
        System.arraycopy(lengths.toByteArray(), 0, image, capacityBytes, lengths.size());
        byte[] before = image.clone();
        int workspaceBytes = Math.toIntExact(HuffmanGpuEncoder.workspaceBytes(count()));
        Result[] results;
        try (HuffmanGpuEncoder encoder = HuffmanGpuEncoder.open(device);
                TrialMemory trial = new TrialMemory(device, stream)) {
            DeviceBuffer memory = trial.holding(image);
            PinnedBuffer staging = trial.staging(workspaceBytes);
            encoder.enqueueEncode(
                    trial.holding(input.toByteArray()).slice(0, input.size()),
                    sources,
                    memory.slice(capacityBytes, lengths.size()),
                    memory.slice(0, capacityBytes),
                    trial.poisoned(workspaceBytes),
                    staging,
                    trial.filled(HuffmanGpuEncoder.scratchBytes(sources), (byte) random.nextInt()),
                    stream);
            byte[] after = trial.bytes(memory);
            results = encoder.results(count(), staging);
            compare(what, results, before, after);
            requireDecoded(what, memory, capacityBytes);
        }
        return results;
    }

    private void compare(String what, Result[] results, byte[] before, byte[] after) {
        for (int index = 0; index < count(); index++) {
            Encoded wanted = expected.get(index);
            String which =
                    what + ", stream " + index + " of " + sources.get(index).inputBytes() + " bytes";
            assertThat(results[index]).as(which).isEqualTo(new Result(wanted.status(), wanted.bits()));
            assertThat(results[index].bytes()).as(which).isEqualTo(wanted.bytes().length);
            int at = (int) sources.get(index).outputAt();
            System.arraycopy(wanted.bytes(), 0, before, at, wanted.bytes().length);
            if (wanted.status() == Status.SOUND) {
                Optional<byte[]> back =
                        HuffmanReference.decode(wanted.bytes(), codes.get(index), raws.get(index).length);
                assertThat(Arrays.equals(back.orElse(new byte[0]), raws.get(index)) || raws.get(index).length == 0)
                        .as(which)
                        .isTrue();
            }
        }
        int different = Arrays.mismatch(before, after);
        if (different >= 0) {
            assertThat(after[different]).as("%s, byte %d", what, different).isEqualTo(before[different]);
        }
    }

    /** With the decoder's kernels, on the same device. */
    private void requireDecoded(String what, DeviceBuffer memory, int lengthsAt) throws Exception {
        List<HuffmanGpuDecoder.Source> streams = new ArrayList<>();
        List<byte[]> wanted = new ArrayList<>();
        int capacityBytes = 0;
        for (int index = 0; index < count(); index++) {
            Source source = sources.get(index);
            Encoded encoded = expected.get(index);
            if (encoded.status() == Status.SOUND && encoded.bits() > 0) {
                streams.add(new HuffmanGpuDecoder.Source(
                        source.outputAt(),
                        encoded.bytes().length,
                        lengthsAt + source.lengthsAt(),
                        capacityBytes,
                        source.inputBytes()));
                wanted.add(raws.get(index));
                capacityBytes += source.inputBytes();
            }
        }
        if (streams.isEmpty()) {
            return;
        }
        int workspaceBytes = Math.toIntExact(HuffmanGpuDecoder.workspaceBytes(streams.size()));
        try (HuffmanGpuDecoder decoder = HuffmanGpuDecoder.open(device);
                TrialMemory trial = new TrialMemory(device, stream)) {
            DeviceBuffer output = trial.poisoned(capacityBytes).slice(0, capacityBytes);
            PinnedBuffer staging = trial.staging(workspaceBytes);
            decoder.enqueueDecode(
                    memory,
                    streams,
                    output,
                    trial.poisoned(workspaceBytes),
                    staging,
                    trial.poisoned(HuffmanGpuDecoder.scratchBytes(streams)),
                    stream);
            byte[] all = trial.bytes(output);
            BlockResult[] results = decoder.results(streams.size(), staging);
            for (int index = 0; index < results.length; index++) {
                assertThat(results[index].isSound())
                        .as("%s, decoded %d", what, index)
                        .isTrue();
                int at = (int) streams.get(index).outputAt();
                byte[] bytes = wanted.get(index);
                assertThat(Arrays.equals(all, at, at + bytes.length, bytes, 0, bytes.length))
                        .as("%s, decoded %d", what, index)
                        .isTrue();
            }
        }
    }

    /** Counts the bytes of each range with {@link HuffmanGpuBuilder}. */
    void checkWeights() throws Exception {
        int weightBytes = count() * SYMBOLS * Integer.BYTES;
        try (HuffmanGpuBuilder builder = HuffmanGpuBuilder.open(device);
                TrialMemory trial = new TrialMemory(device, stream)) {
            DeviceBuffer weights = trial.poisoned(weightBytes);
            enqueueCount(builder, trial.holding(input.toByteArray()), weights);
            IntBuffer view = ByteBuffer.wrap(trial.bytes(weights))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asIntBuffer();
            for (int index = 0; index < count(); index++) {
                int[] counts = new int[SYMBOLS];
                for (byte symbol : raws.get(index)) {
                    counts[symbol & 0xff]++;
                }
                int[] found = new int[SYMBOLS];
                view.get(found);
                assertThat(found).as("range %d", index).isEqualTo(counts);
            }
        }
    }

    /** Codes of up to so many bits for each range, counted and built on the device. */
    List<byte[]> buildLengths(int limitBits) throws Exception {
        try (HuffmanGpuBuilder builder = HuffmanGpuBuilder.open(device);
                TrialMemory trial = new TrialMemory(device, stream)) {
            DeviceBuffer weights = trial.poisoned((long) count() * SYMBOLS * Integer.BYTES);
            DeviceBuffer words = trial.poisoned((long) count() * SYMBOLS * Integer.BYTES);
            DeviceBuffer built = trial.poisoned((long) count() * SYMBOLS);
            enqueueCount(builder, trial.holding(input.toByteArray()), weights);
            builder.enqueueBuild(weights, SYMBOLS, limitBits, built, words, count(), stream);
            byte[] all = trial.bytes(built);
            return IntStream.range(0, count())
                    .mapToObj(index -> Arrays.copyOfRange(all, index * SYMBOLS, (index + 1) * SYMBOLS))
                    .toList();
        }
    }

    private void enqueueCount(HuffmanGpuBuilder builder, DeviceBuffer raw, DeviceBuffer weights) throws Exception {
        int tableBytes = Math.toIntExact(HuffmanGpuBuilder.countWorkspaceBytes(count()));
        ChunkRanges ranges = new ChunkRanges(
                sources.stream().mapToLong(Source::inputAt).toArray(),
                sources.stream().mapToLong(Source::inputBytes).toArray());
        try (TrialMemory trial = new TrialMemory(device, stream)) {
            builder.enqueueCount(raw, ranges, weights, trial.poisoned(tableBytes), trial.staging(tableBytes), stream);
        }
    }
}
