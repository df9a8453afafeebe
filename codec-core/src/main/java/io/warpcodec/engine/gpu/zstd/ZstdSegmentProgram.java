package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.Wave;
import io.warpcodec.device.pool.WaveProgram;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.util.List;

/**
 * Decodes segments of long frames, {@link ZstdSegmentJob}s, one after the other: each has blocks for a whole device.
 * What they decode to is fetched once it is known how much that is.
 */
final class ZstdSegmentProgram implements WaveProgram {
    private static final int FETCH = 1;

    private final ZstdGpuDecoder decoder;

    private ZstdSegmentProgram(ZstdGpuDecoder decoder) {
        this.decoder = decoder;
    }

    /**
     * Loads the kernels.
     *
     * @throws KernelUnavailableException if there are none for this device
     * @throws DeviceException if the device fails
     */
    static ZstdSegmentProgram open(Device device) throws KernelUnavailableException, DeviceException {
        return new ZstdSegmentProgram(ZstdGpuDecoder.open(device));
    }

    @Override
    public long workspaceBytes(int entryCount) {
        return entryCount * decoder.workspaceBytes(1);
    }

    /** One segment's at a time. */
    @Override
    public long scratchBytes(int waveBytes, int entryCount) {
        return decoder.scratchBytes(waveBytes, 1);
    }

    @Override
    public boolean mayWaitForScratch() {
        return true;
    }

    /** A frame's next segment begins where this one ends, so that a frame gets no more out of a device than one. */
    @Override
    public boolean takesLongLeases() {
        return true;
    }

    @Override
    public boolean advance(Wave wave, int step) throws DeviceException {
        List<Wave.Share> shares = wave.shares();
        for (int i = 0; i < shares.size(); i++) {
            Wave.Share share = shares.get(i);
            ZstdSegmentJob job = (ZstdSegmentJob) share.job();
            LaunchMemory memory = memory(wave, i);
            if (step == 0) {
                decoder.enqueue(frame(wave, share, job), memory);
            } else if (step == FETCH) {
                BlockResult result = decoder.results(1, memory.staging())[0];
                job.setResult(result);
                if (job.sound()) {
                    wave.download(share, job.headBytes() + job.rawBytes());
                }
            }
        }
        return step <= FETCH;
    }

    private LaunchMemory memory(Wave wave, int share) {
        long bytes = decoder.workspaceBytes(1);
        return new LaunchMemory(
                wave.workspace().slice(share * bytes, bytes),
                wave.staging().slice(Math.toIntExact(share * bytes), Math.toIntExact(bytes)),
                wave.scratch(),
                wave.stream());
    }

    private static DeviceBlocks frame(Wave wave, Wave.Share share, ZstdSegmentJob job) {
        ChunkRanges inputs = new ChunkRanges(new long[] {share.inputOffset()}, new long[] {job.inputBytes()});
        ChunkRanges slots = new ChunkRanges(new long[] {share.outputOffset()}, new long[] {job.outputBytes()});
        return new DeviceBlocks(wave.input(), inputs, wave.output(), slots, new int[] {job.outputBytes()});
    }

    @Override
    public void close() {
        decoder.close();
    }
}
