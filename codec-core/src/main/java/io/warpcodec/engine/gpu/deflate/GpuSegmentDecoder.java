package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.engine.gpu.segment.GpuSegments;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.metrics.WorkMeter;
import java.nio.ByteBuffer;

/** Decodes one DEFLATE stream on the pool's devices, a segment at a time. */
public final class GpuSegmentDecoder extends GpuSegments<SegmentJob> implements SegmentDecoder {
    private static final int LEAST_INPUT_BYTES = 128 << 10;

    /** Most raw bytes between two points of an index, so that a reader can hold a span. */
    private static final int MOST_SCANNED_BYTES = 8 << 20;

    private final boolean scanning;

    private StreamPosition position = StreamPosition.BEGIN;

    /**
     * @param scanning whether only the points between segments are wanted: then each ends where a block does, with at
     *     most {@link #MOST_SCANNED_BYTES} of output, of which only the window is kept
     */
    public GpuSegmentDecoder(
            DevicePool pool,
            DeviceChoices choices,
            Format format,
            CodecOptions options,
            WorkMeter meter,
            boolean scanning) {
        super(
                pool,
                choices,
                format,
                options,
                meter,
                DeflateGpuFormat.SEGMENTS,
                LEAST_INPUT_BYTES,
                DeflateGpuFormat.CPU_DECODE_NANOS);
        this.scanning = scanning;
    }

    @Override
    public void reset() {
        restart();
        position = StreamPosition.BEGIN;
    }

    @Override
    public void resume(int firstBit, byte[] before) {
        restartInTheMiddle();
        position = StreamPosition.of(firstBit, before);
    }

    @Override
    protected boolean isBegin() {
        return position.rawBytes() == 0;
    }

    @Override
    protected boolean ended() {
        return position.ended();
    }

    @Override
    protected int mostSegmentBytes(int inputBytes, int outputBytes) {
        return SegmentJob.mostSegmentBytes(outputBytes);
    }

    @Override
    protected int mostRawBytes(int outputBytes) {
        return scanning ? Math.min(outputBytes, MOST_SCANNED_BYTES) : outputBytes;
    }

    @Override
    protected boolean keepsOutput() {
        return !scanning;
    }

    @Override
    protected SegmentJob cut(ByteBuffer input, int segmentBytes, int outputBytes, int mostRawBytes) {
        return scanning
                ? SegmentJob.ofWholeBlocks(position, segmentBytes, outputBytes, mostRawBytes)
                : new SegmentJob(position, segmentBytes, outputBytes);
    }

    @Override
    protected boolean isInVain(SegmentJob done) {
        return done.rawBytes() == 0 && done.endBit() == position.bit() && !done.ended();
    }

    @Override
    protected boolean pass(SegmentJob done, ByteBuffer results) {
        position = done.positionBehind(position, results);
        return true;
    }

    @Override
    public StreamPosition position() {
        return position;
    }
}
