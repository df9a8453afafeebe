package io.warpcodec.engine.gpu.lz4;

import static io.warpcodec.engine.gpu.block.DecodePlan.MOST_BLOCK_BYTES;
import static io.warpcodec.format.lz4.Lz4Format.FRAME_MAGIC;
import static io.warpcodec.format.lz4.Lz4Format.UNCOMPRESSED;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.engine.gpu.block.DecodePlan.Content;
import io.warpcodec.engine.gpu.block.HostHash;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.hadoopframing.HadoopFraming;
import io.warpcodec.format.lz4.Lz4BlockHeader;
import io.warpcodec.format.lz4.Lz4Format;
import io.warpcodec.format.lz4.Lz4FrameHeader;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Plans for the three containers of LZ4 blocks. */
final class Lz4Plans {
    // Blocks are handed over only where the container fixes the length that each decodes to, so that outputs lie one
    // behind the other before anything is decoded. In a frame with a content size every block but the last is taken
    // to be full, as all writers make them; a frame in which one is not fails the kernel's length check and goes to
    // the CPU.

    private static final int WORD_BYTES = 4;
    private static final int HADOOP_HEADER_BYTES = 2 * HadoopFraming.LENGTH_BYTES;

    private Lz4Plans() {}

    /** Skippable frames, then one frame with independent blocks and a content size. */
    static DecodePlan frame(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView().order(ByteOrder.LITTLE_ENDIAN);
        int start = SkippableFrames.end(bytes);
        if (start + Lz4FrameHeader.LEAST_BYTES > bytes.limit() || bytes.getInt(start) != FRAME_MAGIC) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        int headerBytes = Lz4FrameHeader.bytes(bytes.get(start + Lz4FrameHeader.LEAST_BYTES - 1));
        if (start + headerBytes > bytes.limit()) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        ByteBuffer header = bytes.slice(start, headerBytes);
        if (Lz4FrameHeader.defect(header) != null) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        Lz4FrameHeader frame = Lz4FrameHeader.of(header);
        if (!frame.independent()) {
            return DecodePlan.refused(FallbackReason.LINKED_BLOCKS);
        }
        if (!frame.hasContentBytes()) {
            return DecodePlan.refused(FallbackReason.NO_CONTENT_SIZE);
        }
        if (frame.contentBytes() < 0 || frame.contentBytes() > budgetBytes) {
            return DecodePlan.refused(FallbackReason.OVER_BUDGET);
        }
        return frameBlocks(bytes, start + headerBytes, frame);
    }

    private static DecodePlan frameBlocks(ByteBuffer bytes, int start, Lz4FrameHeader frame) {
        int contentBytes = (int) frame.contentBytes();
        List<Body> bodies = new ArrayList<>();
        int rawBytes = 0;
        int at = start;
        while (at + WORD_BYTES <= bytes.limit()) {
            int word = bytes.getInt(at);
            at += WORD_BYTES;
            if (word == 0) {
                return frameEnd(bytes, at, frame, bodies, rawBytes);
            }
            int bodyBytes = word & ~UNCOMPRESSED;
            boolean stored = word < 0;
            int bodyRawBytes = Math.min(frame.blockMaxBytes(), contentBytes - rawBytes);
            int checksumBytes = frame.blockChecksums() ? WORD_BYTES : 0;
            if (bodyBytes > frame.blockMaxBytes()
                    || bodyBytes > bytes.limit() - at - checksumBytes
                    || bodyRawBytes == 0
                    || stored && bodyBytes != bodyRawBytes) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            if (bodyRawBytes > MOST_BLOCK_BYTES) {
                return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
            }
            bodies.add(new Body(at, bodyBytes, bodyRawBytes, stored));
            rawBytes += bodyRawBytes;
            at += bodyBytes;
            if (frame.blockChecksums()) {
                if (bytes.getInt(at) != HostHash.xxHash32(bytes, at - bodyBytes, bodyBytes)) {
                    return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
                }
                at += WORD_BYTES;
            }
        }
        return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
    }

    private static DecodePlan frameEnd(
            ByteBuffer bytes, int start, Lz4FrameHeader frame, List<Body> bodies, int rawBytes) {
        int checksumBytes = frame.contentChecksum() ? WORD_BYTES : 0;
        if (rawBytes != frame.contentBytes() || start + checksumBytes != bytes.limit()) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        if (!frame.contentChecksum()) {
            return DecodePlan.of(bodies, rawBytes, List.of());
        }
        Content whole = new Content(0, rawBytes, 0, -1, bytes.getInt(start));
        return DecodePlan.of(bodies, rawBytes, List.of(whole));
    }

    /** An outer block of Hadoop's framing with one chunk in it. */
    static DecodePlan outerBlock(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView();
        if (bytes.limit() < HADOOP_HEADER_BYTES) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        int rawBytes = bytes.getInt(0);
        int bodyBytes = bytes.getInt(HadoopFraming.LENGTH_BYTES);
        if (rawBytes < 0 || bodyBytes <= 0 || bodyBytes != bytes.limit() - HADOOP_HEADER_BYTES) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        if (rawBytes > Math.min(budgetBytes, MOST_BLOCK_BYTES)) {
            return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
        }
        if (bodyBytes > Lz4Format.maxBlockBytes(rawBytes)) {
            return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
        }
        return DecodePlan.of(List.of(new Body(HADOOP_HEADER_BYTES, bodyBytes, rawBytes, false)), rawBytes, List.of());
    }

    /** Blocks of an LZ4Block stream, and perhaps its end mark. */
    static DecodePlan blocks(Chunk chunk, int budgetBytes) {
        ByteBuffer bytes = chunk.bytesView();
        List<Body> bodies = new ArrayList<>();
        List<Content> contents = new ArrayList<>();
        int rawBytes = 0;
        int at = 0;
        while (at < bytes.limit()) {
            if (bytes.limit() - at < Lz4BlockHeader.BYTES
                    || Lz4BlockHeader.defect(bytes.slice(at, Lz4BlockHeader.BYTES)) != null) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            Lz4BlockHeader block = Lz4BlockHeader.of(bytes.slice(at, Lz4BlockHeader.BYTES));
            at += Lz4BlockHeader.BYTES;
            if (block.bodyBytes() > bytes.limit() - at) {
                return DecodePlan.refused(FallbackReason.NOT_WELL_FORMED);
            }
            if (block.rawBytes() > Math.min(MOST_BLOCK_BYTES, budgetBytes - rawBytes)) {
                return DecodePlan.refused(FallbackReason.BLOCK_TOO_LONG);
            }
            if (!block.isEnd()) {
                boolean stored = block.method() == Lz4BlockHeader.RAW;
                bodies.add(new Body(at, block.bodyBytes(), block.rawBytes(), stored));
                contents.add(new Content(
                        rawBytes,
                        block.rawBytes(),
                        Lz4BlockHeader.CHECKSUM_SEED,
                        Lz4BlockHeader.CHECKSUM_MASK,
                        block.checksum()));
                rawBytes += block.rawBytes();
                at += block.bodyBytes();
            }
        }
        return DecodePlan.of(bodies, rawBytes, contents);
    }
}
