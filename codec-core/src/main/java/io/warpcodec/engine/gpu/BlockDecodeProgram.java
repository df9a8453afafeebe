package io.warpcodec.engine.gpu;

import io.warpcodec.device.DeviceBuffer;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.PinnedBuffer;
import io.warpcodec.device.Wave;
import io.warpcodec.device.WaveProgram;
import java.util.Arrays;

/** Decodes the blocks of all {@link BlockJob}s of a wave in one launch, and brings every task its output. */
final class BlockDecodeProgram implements WaveProgram {
    private final Launch launch;
    private final AutoCloseable kernels;

    /** What the launchers of formats made of blocks have in common. */
    interface Launch {
        void enqueue(
                DeviceBuffer input,
                ChunkRanges blocks,
                DeviceBuffer output,
                ChunkRanges places,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException;
    }

    private BlockDecodeProgram(Launch launch, AutoCloseable kernels) {
        this.launch = launch;
        this.kernels = kernels;
    }

    static BlockDecodeProgram of(Lz4GpuDecoder decoder) {
        Launch launch = (input, blocks, output, places, workspace, staging, stream) -> decoder.enqueueDecode(
                Lz4GpuDecoder.Strategy.GATHER, input, blocks, output, places, workspace, staging, stream);
        return new BlockDecodeProgram(launch, decoder);
    }

    static BlockDecodeProgram of(SnappyGpuDecoder decoder) {
        return new BlockDecodeProgram(decoder::enqueueDecode, decoder);
    }

    @Override
    public long workspaceBytes(int unitCount) {
        return BlockBatch.workspaceBytes(unitCount);
    }

    @Override
    public boolean advance(Wave wave, int step) throws DeviceException {
        if (step == 0) {
            decode(wave);
            for (Wave.Part part : wave.parts()) {
                wave.download(part, ((BlockJob) part.job()).outputLimit());
            }
            return true;
        }
        BlockResult[] results = BlockBatch.results(wave.unitCount(), wave.staging());
        int first = 0;
        for (Wave.Part part : wave.parts()) {
            int limit = first + part.job().unitCount();
            ((BlockJob) part.job()).setResults(Arrays.copyOfRange(results, first, limit));
            first = limit;
        }
        return false;
    }

    private void decode(Wave wave) throws DeviceException {
        int count = wave.unitCount();
        long[] blockAt = new long[count];
        long[] blockBytes = new long[count];
        long[] placeAt = new long[count];
        long[] placeBytes = new long[count];
        int at = 0;
        for (Wave.Part part : wave.parts()) {
            BlockJob job = (BlockJob) part.job();
            for (int block = 0; block < job.unitCount(); block++, at++) {
                blockAt[at] = part.inputOffset() + job.inputAt(block);
                blockBytes[at] = job.inputBytes(block);
                placeAt[at] = part.outputOffset() + job.outputAt(block);
                placeBytes[at] = job.outputBytes(block);
            }
        }
        launch.enqueue(
                wave.input(),
                new ChunkRanges(blockAt, blockBytes),
                wave.output(),
                new ChunkRanges(placeAt, placeBytes),
                wave.workspace(),
                wave.staging(),
                wave.stream());
    }

    @Override
    public void close() {
        try {
            kernels.close();
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
