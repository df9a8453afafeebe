package io.warpcodec.engine.gpu.zstd;

import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A segment as a device gets it.
 *
 * @param input record, history and blocks
 * @param outputBytes space that it asks for
 */
public record ZstdSegmentSample(byte[] input, int outputBytes) {
    /** Name of the program that decodes it. */
    public static final String PROGRAM = ZstdGpuFormat.SEGMENTS;

    /** The first segment of a text. */
    public static ZstdSegmentSample ofText(int bytes, long seed) {
        byte[] file;
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            file = context.setLevel(3).setWindowLog(17).setContentSize(false).compress(GpuStreams.text(bytes, seed));
        }
        ByteBuffer view = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        ZstdFrameHeader header = ZstdFrameHeader.at(new BufferWindow(view, 0), 0);
        view.position(header.bytes());
        ZstdSegmentJob job = new ZstdSegmentJob(new ZstdSegment(
                view, ZstdPosition.BEGIN, header.maxBlockBytes(), header.maxBlockBytes(), 4 << 20, Long.MAX_VALUE));
        byte[] input = new byte[job.inputBytes()];
        job.fill(ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN), view);
        return new ZstdSegmentSample(input, job.outputBytes());
    }
}
