package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A batch of compressed blocks at odd places, with canaries around every output, and what a reference makes of them.
 */
public final class BlockTrial {
    /** The reference: the block's bytes, or nothing if it has a defect or too many. */
    public interface Reference {
        Optional<byte[]> decode(byte[] block, int outputLimit);
    }

    /** One way to decode on the device. */
    public interface Way {
        /** @param memory without scratch */
        void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException;
    }

    /** Mutations of one trial, so that its bytes fit one array. */
    public static final int MOST_MUTATIONS = 20_000;

    public final List<byte[]> blocks = new ArrayList<>();
    public final List<Optional<byte[]>> expected = new ArrayList<>();
    private final Random random;
    private final Reference reference;
    private final List<Long> blockRanges = new ArrayList<>();
    private final List<Long> placeRanges = new ArrayList<>();
    private final ByteArrayOutputStream input = new ByteArrayOutputStream();
    private long outputBytes;
    private boolean padded;

    public BlockTrial(Random random, Reference reference) {
        this.random = random;
        this.reference = reference;
    }

    public void add(byte[] block, int outputLimit) {
        blocks.add(block);
        expected.add(reference.decode(block, outputLimit));
        input.writeBytes(new byte[random.nextInt(5)]);
        blockRanges.addAll(List.of((long) input.size(), (long) block.length));
        input.writeBytes(block);
        outputBytes += random.nextInt(9);
        placeRanges.addAll(List.of(outputBytes, (long) outputLimit));
        outputBytes += outputLimit;
    }

    /** Adds a block as it is, with another limit, or damaged; {@code other} is what a splice continues with. */
    public void addMutated(byte[] block, byte[] other, int rawBytes) {
        switch (random.nextInt(8)) {
            case 0 -> add(block, rawBytes);
            case 1 -> add(block, random.nextInt(rawBytes + 10));
            default -> add(BlockDamage.of(random, block, other), rawBytes);
        }
    }

    public long soundCount() {
        return expected.stream().filter(Optional::isPresent).count();
    }

    /** Rounds the input up: for kernels that read 8 bytes at once where an input ends. */
    public BlockTrial padded() {
        padded = true;
        return this;
    }

    /** Decodes in every way on the same workspace, poisoned at first, and compares; answers the last results. */
    public BlockResult[] check(String what, Device device, DeviceStream stream, Way... ways) throws DeviceException {
        while (padded && input.size() % Long.BYTES != 0) {
            input.write(0);
        }
        int workspaceBytes = Math.toIntExact(BlockBatch.workspaceBytes(blocks.size()));
        int outputSize = Math.toIntExact(outputBytes) + 16;
        BlockResult[] results = {};
        try (TrialMemory trial = new TrialMemory(device, stream)) {
            DeviceBuffer memory = trial.holding(input.toByteArray());
            DeviceBuffer output = trial.poisoned(outputSize);
            DeviceBuffer workspace = trial.poisoned(workspaceBytes);
            PinnedBuffer staging = trial.staging(workspaceBytes);
            for (int way = 0; way < ways.length; way++) {
                stream.fill(output, TrialMemory.CANARY);
                ways[way].enqueue(
                        new DeviceBlocks(memory, toRanges(blockRanges), output, toRanges(placeRanges)),
                        new LaunchMemory(workspace, staging, null, stream));
                byte[] bytes = trial.bytes(output);
                results = BlockBatch.results(blocks.size(), staging);
                compare(what + ", way " + way, results, bytes);
            }
        }
        return results;
    }

    /** Offset and length of each range in turn. */
    public static ChunkRanges ranges(long... offsetsAndLengths) {
        long[] offsets = new long[offsetsAndLengths.length / 2];
        long[] lengths = new long[offsets.length];
        Arrays.setAll(offsets, i -> offsetsAndLengths[2 * i]);
        Arrays.setAll(lengths, i -> offsetsAndLengths[2 * i + 1]);
        return new ChunkRanges(offsets, lengths);
    }

    public static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private void compare(String what, BlockResult[] results, byte[] bytes) {
        int behind = 0;
        for (int block = 0; block < results.length; block++) {
            int at = placeRanges.get(2 * block).intValue();
            int limit = placeRanges.get(2 * block + 1).intValue();
            String which = what + ", block " + block;
            TrialMemory.requireCanary(which, bytes, behind, at);
            if (results[block].isSound() != expected.get(block).isPresent()) {
                assertThat(results[block].toString())
                        .as(which)
                        .isEqualTo(expected.get(block).isPresent() ? "sound" : "corrupt");
            }
            behind = at + limit;
            if (results[block].isSound()) {
                byte[] raw = expected.get(block).orElseThrow();
                behind = at + raw.length;
                if (results[block].outputBytes() != raw.length
                        || !Arrays.equals(bytes, at, behind, raw, 0, raw.length)) {
                    assertThat(Arrays.copyOfRange(bytes, at, at + results[block].outputBytes()))
                            .as(which)
                            .isEqualTo(raw);
                }
            }
        }
        TrialMemory.requireCanary(what, bytes, behind, bytes.length);
    }

    static ChunkRanges toRanges(List<Long> offsetsAndLengths) {
        return ranges(offsetsAndLengths.stream().mapToLong(Long::longValue).toArray());
    }
}
