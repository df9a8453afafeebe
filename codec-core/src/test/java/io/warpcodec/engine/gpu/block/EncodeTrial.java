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

/** A batch of raw blocks at odd places, with canaries around the place of every encoded one. */
public final class EncodeTrial {
    /** One way to encode on the device, and the workspace that it needs. */
    public interface Way {
        /** @param rawBytes of all blocks together */
        long workspaceBytes(int blockCount, long rawBytes);

        default long stagingBytes(int blockCount) {
            return BlockBatch.workspaceBytes(blockCount);
        }

        default BlockResult[] results(int blockCount, PinnedBuffer staging) {
            return BlockBatch.results(blockCount, staging);
        }

        /** @param memory without scratch, which is part of the workspace */
        void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException;
    }

    final List<byte[]> raws = new ArrayList<>();
    private final Random random;
    private final List<Long> rawRanges = new ArrayList<>();
    private final List<Long> placeRanges = new ArrayList<>();
    private final ByteArrayOutputStream input = new ByteArrayOutputStream();
    private long outputBytes;

    public EncodeTrial(Random random) {
        this.random = random;
    }

    /** The way of LZ4 and Snappy. */
    public static Way way(BlockGpuEncoder encoder, EncodeLevel level) {
        return new Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return tableBytes(blockCount) + BlockGpuEncoder.scratchBytes(rawBytes, blockCount);
            }

            /** The scratch follows. */
            private long tableBytes(int blockCount) {
                return (encoder.workspaceBytes(level, blockCount) + 15) / 16 * 16;
            }

            @Override
            public long stagingBytes(int blockCount) {
                return BlockGpuEncoder.stagingBytes(blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return encoder.results(blockCount, staging);
            }

            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                encoder.enqueueEncode(level, blocks, withScratch(memory, tableBytes(blocks.count())));
            }
        };
    }

    /** Scratch of so many raw bytes in so many blocks. */
    public interface Scratch {
        long bytes(long rawBytes, int blockCount);
    }

    /** The way of a launch whose scratch has this alignment. */
    public static Way way(BlockLaunch launch, int scratchAlignment, Scratch scratch) {
        return new Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return tableBytes(blockCount) + scratch.bytes(rawBytes, blockCount);
            }

            /** The scratch follows. */
            private long tableBytes(int blockCount) {
                return (launch.workspaceBytes(blockCount) + scratchAlignment - 1) / scratchAlignment * scratchAlignment;
            }

            @Override
            public long stagingBytes(int blockCount) {
                return launch.workspaceBytes(blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return launch.results(blockCount, staging);
            }

            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                launch.enqueue(blocks, withScratch(memory, tableBytes(blocks.count())));
            }
        };
    }

    /** This memory with the scratch that begins there in the workspace. */
    public static LaunchMemory withScratch(LaunchMemory memory, long scratchAt) {
        DeviceBuffer workspace = memory.workspace();
        DeviceBuffer scratch = workspace.slice(scratchAt, workspace.bytes() - scratchAt);
        return new LaunchMemory(workspace, memory.staging(), scratch, memory.stream());
    }

    /** A place that holds whatever both formats need for so many bytes. */
    static int ampleSlotBytes(int rawBytes) {
        return 16 + rawBytes + rawBytes / 255;
    }

    public void add(byte[] raw) {
        add(raw, ampleSlotBytes(raw.length));
    }

    public void add(byte[] raw, int placeBytes) {
        input.writeBytes(new byte[random.nextInt(5)]);
        addRightBehind(raw, placeBytes);
    }

    /** As {@link #add(byte[], int)}, but with no byte of the input between this block and the block added before. */
    public void addRightBehind(byte[] raw, int placeBytes) {
        raws.add(raw);
        rawRanges.addAll(List.of((long) input.size(), (long) raw.length));
        input.writeBytes(raw);
        outputBytes += random.nextInt(9);
        placeRanges.addAll(List.of(outputBytes, (long) placeBytes));
        outputBytes += placeBytes;
    }

    /**
     * Encodes on a poisoned workspace. Each block that fits its place, and nothing for the others; no other byte has
     * been written.
     */
    public List<Optional<byte[]>> encode(String what, Device device, DeviceStream stream, Way way)
            throws DeviceException {
        long rawBytes = raws.stream().mapToLong(raw -> raw.length).sum();
        long workspaceBytes = way.workspaceBytes(raws.size(), rawBytes);
        int stagingBytes = Math.toIntExact(way.stagingBytes(raws.size()));
        int outputSize = Math.toIntExact(outputBytes) + 16;
        // of aligned words that hold a byte of a block, any byte may be read
        int wholeWords = (Math.max(1, input.size()) + Integer.BYTES - 1) / Integer.BYTES * Integer.BYTES;
        try (TrialMemory trial = new TrialMemory(device, stream)) {
            DeviceBuffer output = trial.poisoned(outputSize);
            DeviceBuffer workspace = trial.poisoned(workspaceBytes);
            PinnedBuffer staging = trial.staging(stagingBytes);
            DeviceBlocks blocks = new DeviceBlocks(
                    trial.holding(Arrays.copyOf(input.toByteArray(), wholeWords)),
                    BlockTrial.toRanges(rawRanges),
                    output,
                    BlockTrial.toRanges(placeRanges));
            way.enqueue(blocks, new LaunchMemory(workspace, staging, null, stream));
            byte[] bytes = trial.bytes(output);
            return encoded(what, way.results(raws.size(), staging), bytes);
        }
    }

    private List<Optional<byte[]>> encoded(String what, BlockResult[] results, byte[] bytes) {
        List<Optional<byte[]>> encoded = new ArrayList<>();
        int behind = 0;
        for (int block = 0; block < results.length; block++) {
            int at = placeRanges.get(2 * block).intValue();
            int placeBytes = placeRanges.get(2 * block + 1).intValue();
            String which = what + ", block " + block;
            TrialMemory.requireCanary(which, bytes, behind, at);
            behind = at + placeBytes;
            if (results[block].isSound()) {
                assertThat(results[block].outputBytes()).as(which).isBetween(0, placeBytes);
                behind = at + results[block].outputBytes();
                encoded.add(Optional.of(Arrays.copyOfRange(bytes, at, behind)));
            } else {
                assertThat(results[block])
                        .as(which)
                        .isEqualTo(new BlockResult(BlockResult.Status.OUTPUT_EXCEEDED, 0, 0));
                encoded.add(Optional.empty());
            }
        }
        TrialMemory.requireCanary(what, bytes, behind, bytes.length);
        return encoded;
    }
}
