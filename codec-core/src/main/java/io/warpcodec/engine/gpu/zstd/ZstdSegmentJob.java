package io.warpcodec.engine.gpu.zstd;

import io.warpcodec.device.lease.InputBytes;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.segment.SegmentWork;
import io.warpcodec.engine.zstd.ZstdPosition;
import java.nio.ByteBuffer;

/**
 * A segment of a long frame in a wave. Its output: the three offsets behind it in {@link
 * ZstdKernels#SEGMENT_HEAD_BYTES}, then what it decodes to. Filled by one thread, then handed over; the results are
 * there when the lease is over. Not thread-safe.
 */
final class ZstdSegmentJob implements SegmentWork {
    private static final int ANSWER_BYTES = 2 * Integer.BYTES;

    /** The segment; null if it came from another process. */
    private final ZstdSegment segment;

    private final int inputBytes;
    private final int outputBytes;

    private boolean sound;
    private int rawBytes;

    ZstdSegmentJob(ZstdSegment segment) {
        this(segment, segment.deviceInputBytes(), ZstdKernels.SEGMENT_HEAD_BYTES + segment.mostRawBytes());
    }

    private ZstdSegmentJob(ZstdSegment segment, int inputBytes, int outputBytes) {
        this.segment = segment;
        this.inputBytes = inputBytes;
        this.outputBytes = outputBytes;
    }

    @Override
    public int entryCount() {
        return 1;
    }

    @Override
    public int inputBytes() {
        return inputBytes;
    }

    @Override
    public int outputBytes() {
        return outputBytes;
    }

    @Override
    public int headBytes() {
        return ZstdKernels.SEGMENT_HEAD_BYTES;
    }

    @Override
    public int segmentBytes() {
        return segment.inputBytes();
    }

    @Override
    public void fill(ByteBuffer memory, ByteBuffer input) {
        segment.fill(memory, input);
    }

    /** A device is done. */
    void setResult(BlockResult result) {
        sound = result.status() == BlockResult.Status.SOUND;
        rawBytes = sound ? result.outputBytes() : 0;
    }

    @Override
    public boolean sound() {
        return sound;
    }

    @Override
    public int rawBytes() {
        return rawBytes;
    }

    @Override
    public int endByte() {
        return segment.inputBytes();
    }

    /** Whether it may have been refused because it decodes to more than its limit. */
    boolean isOptimistic() {
        return segment.isOptimistic();
    }

    /** Raw bytes of a compressed block in the mean. */
    int meanBlockBytes() {
        return segment.meanBlockBytes(rawBytes);
    }

    /** Position behind the segment; null where it is no place at which libzstd could go on. */
    ZstdPosition positionBehind(ByteBuffer results, long windowBytes, byte[] spare) {
        int[] repeats = new int[3];
        for (int i = 0; i < repeats.length; i++) {
            repeats[i] = results.getInt(i * Integer.BYTES);
        }
        return segment.behind(results.slice(headBytes(), rawBytes), repeats, windowBytes, spare);
    }

    // ---- to and from another process

    @Override
    public int orderBytes() {
        return 0;
    }

    @Override
    public void putOrder(ByteBuffer message) {
        // all that the device is to know stands in the input
    }

    /** Reads an order; a {@link io.warpcodec.device.lease.JobReader}. */
    static ZstdSegmentJob read(ByteBuffer order, int inputBytes, int outputBytes, InputBytes input) {
        require(!order.hasRemaining());
        require(inputBytes > ZstdRecord.FIXED_BYTES && outputBytes > ZstdKernels.SEGMENT_HEAD_BYTES);
        require(outputBytes <= ZstdKernels.MAX_OUTPUT_BYTES);
        return new ZstdSegmentJob(null, inputBytes, outputBytes);
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("a segment's order or answer");
        }
    }

    @Override
    public int answerBytes() {
        return ANSWER_BYTES;
    }

    @Override
    public void putAnswer(ByteBuffer message) {
        message.putInt(sound ? 1 : 0).putInt(rawBytes);
    }

    @Override
    public void takeAnswer(ByteBuffer message) {
        boolean isSound = message.getInt() != 0;
        int bytes = message.getInt();
        require(!isSound || bytes >= 0 && bytes <= outputBytes - ZstdKernels.SEGMENT_HEAD_BYTES);
        sound = isSound;
        rawBytes = isSound ? bytes : 0;
    }
}
