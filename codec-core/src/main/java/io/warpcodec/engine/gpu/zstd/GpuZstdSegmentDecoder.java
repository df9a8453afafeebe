package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.gpu.request.SessionDevices;
import io.warpcodec.engine.gpu.segment.GpuSegments;
import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.engine.zstd.ZstdSegmentDecoder;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;

/** Decodes one zstd frame on the pool's devices, a segment at a time. */
final class GpuZstdSegmentDecoder extends GpuSegments<ZstdSegmentJob> implements ZstdSegmentDecoder {
    /** Two blocks at least. */
    private static final int LEAST_INPUT_BYTES = 320 << 10;

    /** Below this libzstd is done before a device is. */
    private static final int LEAST_RAW_BYTES = 256 << 10;

    /** More is expected of a block than the last segment's had in the mean. */
    private static final double FIRST_SLACK = 1.25;

    private static final double MORE_SLACK = 2;

    private ZstdFrameHeader header;
    /** Raw bytes of a compressed block, about; the maximum until some are known. */
    private int expectedBlockBytes;

    private double slack;
    /** Whether the frame tells its content size, and no segment was refused so far. */
    private boolean trustsContentSize;

    private ZstdPosition position = ZstdPosition.BEGIN;
    /** History of the position before the last, and of the one before that, which is free to be written again. */
    private byte[] lastHistory = {};

    private byte[] spare = {};
    private boolean cutIsShort;

    GpuZstdSegmentDecoder(SessionDevices devices, CodecOptions options) {
        super(
                devices.pool(),
                devices.choices(),
                Format.ZSTD,
                options,
                devices.meter(),
                ZstdGpuFormat.SEGMENTS,
                LEAST_INPUT_BYTES,
                ZstdGpuFormat.CPU_DECODE_NANOS);
    }

    @Override
    public void begin(ZstdFrameHeader frame) {
        restart();
        header = frame;
        expectedBlockBytes = frame.maxBlockBytes();
        slack = FIRST_SLACK;
        trustsContentSize = frame.declaresAtMost(Long.MAX_VALUE);
        position = ZstdPosition.BEGIN;
    }

    @Override
    protected boolean isBegin() {
        return position.isBegin();
    }

    @Override
    protected boolean ended() {
        return position.ended();
    }

    @Override
    protected int mostSegmentBytes(int inputBytes, int outputBytes) {
        int besideBytes = position.history().length
                + ZstdSegment.mostOtherBytes(Math.min(outputBytes, ZstdKernels.MAX_OUTPUT_BYTES));
        boolean hasRoom = header == null || header.windowBytes() <= ZstdKernels.MAX_HISTORY_BYTES;
        return hasRoom ? Math.max(0, inputBytes - besideBytes) : 0;
    }

    /** Raw bytes of the frame from the position on. */
    private long restBytes() {
        return trustsContentSize ? Math.max(0, header.contentBytes() - position.rawBytes()) : Long.MAX_VALUE;
    }

    @Override
    protected long restOutputBytes() {
        long rest = header == null ? Long.MAX_VALUE : restBytes();
        return rest + Math.min(ZstdKernels.SEGMENT_HEAD_BYTES, Long.MAX_VALUE - rest);
    }

    @Override
    protected ZstdSegmentJob cut(ByteBuffer input, int segmentBytes, int outputBytes, int mostRawBytes) {
        ByteBuffer part = input.slice(input.position(), segmentBytes);
        int rawLimit = Math.min(outputBytes, ZstdKernels.MAX_OUTPUT_BYTES) - ZstdKernels.SEGMENT_HEAD_BYTES;
        ZstdSegment segment =
                new ZstdSegment(part, position, header.maxBlockBytes(), expectedBlockBytes, rawLimit, restBytes());
        cutIsShort = segment.inputBytes() > 0 && segment.mostRawBytes() < Math.min(LEAST_RAW_BYTES, rawLimit / 2);
        return segment.inputBytes() == 0 || cutIsShort ? null : new ZstdSegmentJob(segment);
    }

    @Override
    protected FallbackReason cutRefusal() {
        return cutIsShort ? FallbackReason.SEGMENT_SHORT : FallbackReason.SEGMENT_REFUSED;
    }

    /** A frame whose blocks vary much gets more slack each time, until all are expected to be of the maximum. */
    @Override
    protected boolean cutsShorter(ZstdSegmentJob refused) {
        expectedBlockBytes = header.maxBlockBytes();
        trustsContentSize = false;
        slack *= MORE_SLACK;
        return refused.isOptimistic();
    }

    @Override
    protected boolean isInVain(ZstdSegmentJob done) {
        return false;
    }

    @Override
    protected boolean pass(ZstdSegmentJob done, ByteBuffer results) {
        ZstdPosition behind = done.positionBehind(results, header.windowBytes(), spare);
        if (behind == null) {
            return false;
        }
        expectedBlockBytes = (int) Math.min(header.maxBlockBytes(), slack * Math.max(1, done.meanBlockBytes()));
        spare = lastHistory;
        lastHistory = position.history();
        position = behind;
        return true;
    }

    @Override
    public ZstdPosition position() {
        return position;
    }
}
