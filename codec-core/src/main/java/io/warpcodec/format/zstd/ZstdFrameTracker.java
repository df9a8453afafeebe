package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import java.nio.ByteBuffer;

/**
 * Follows the bytes of one frame behind its header, from block header to block header, so that a session knows where
 * the frame ends and finds blocks that RFC 8878 forbids whatever the library thinks of them. Not thread-safe.
 */
public final class ZstdFrameTracker {
    private int maxBlockBytes;
    private boolean checksum;
    private boolean lastBlock;
    private boolean treeSeen;
    private boolean inChecksum;
    private int blockHeader;
    private int blockHeaderBytes;
    private int leftBytes;
    /** Start of a compressed block, up to where its tree description may end at the latest. */
    private final ByteBuffer prefix = ByteBuffer.allocate(ZstdTreeDescription.MAX_PREFIX_BYTES);

    private boolean ended;
    private String defect;

    /** Starts behind this header. */
    public void start(ZstdFrameHeader header) {
        start(header, header.checksum());
    }

    /** Starts behind this header; the frame's checksum is not followed. */
    public void startBlocks(ZstdFrameHeader header) {
        start(header, false);
    }

    private void start(ZstdFrameHeader header, boolean withChecksum) {
        maxBlockBytes = header.maxBlockBytes();
        checksum = withChecksum;
        lastBlock = false;
        treeSeen = false;
        inChecksum = false;
        blockHeader = 0;
        blockHeaderBytes = 0;
        leftBytes = 0;
        prefix.limit(0);
        ended = false;
        defect = null;
    }

    /** Whether the frame's last byte has been followed. */
    public boolean ended() {
        return ended;
    }

    /** What is wrong at the point where {@link #follow} stopped, or null. */
    public String defect() {
        return defect;
    }

    /** How many of the bytes followed last belong to the block with the defect. */
    public int defectBytes() {
        return BLOCK_HEADER_BYTES + prefix.position();
    }

    /** Where in the frame it stands, for the message of a truncation. */
    public String place() {
        return inChecksum
                ? "inside a frame's checksum"
                : leftBytes > 0 ? "inside a block" : "before a frame's last block";
    }

    /**
     * Follows bytes from a buffer's position, and advances it, up to its limit, the end of the frame or a defect.
     */
    public void follow(ByteBuffer input) {
        while (!ended && defect == null && input.hasRemaining()) {
            if (leftBytes > 0) {
                int count = Math.min(leftBytes, input.remaining());
                if (prefix.hasRemaining()) {
                    count = Math.min(count, prefix.remaining());
                    prefix.put(prefix.position(), input, input.position(), count);
                    prefix.position(prefix.position() + count);
                    checkTree();
                }
                input.position(input.position() + count);
                leftBytes -= count;
                if (leftBytes == 0) {
                    part();
                }
            } else {
                int value = input.get() & 0xff;
                blockHeader |= value << 8 * blockHeaderBytes++;
                if (blockHeaderBytes == BLOCK_HEADER_BYTES) {
                    block();
                }
            }
        }
    }

    private void checkTree() {
        if (prefix.hasRemaining()) {
            return;
        }
        // libzstd would take it from a dictionary, which it gets where it goes on behind a device
        if (ZstdTreeDescription.isRepeated(prefix) && !treeSeen) {
            defect = "a block repeats a Huffman tree before there is one";
        } else if (ZstdTreeDescription.isTruncated(prefix)) {
            defect = "a block's Huffman weights end before their initial states";
        }
        treeSeen |= ZstdTreeDescription.isThere(prefix);
    }

    private void block() {
        prefix.position(0).limit(0);
        ZstdBlockHeader block = ZstdBlockHeader.of(blockHeader);
        if (block.type() == ZstdBlockHeader.RESERVED) {
            defect = "a block has the reserved type";
            return;
        }
        if (block.size() > maxBlockBytes) {
            defect = "a block of " + block.size() + " bytes is over the frame's limit of " + maxBlockBytes;
            return;
        }
        lastBlock = block.last();
        blockHeader = 0;
        blockHeaderBytes = 0;
        leftBytes = block.contentBytes();
        if (block.type() == ZstdBlockHeader.COMPRESSED) {
            prefix.limit(Math.min(block.size(), prefix.capacity()));
        }
        if (leftBytes == 0) {
            part();
        }
    }

    /** A block or the checksum is over. */
    private void part() {
        if (lastBlock && checksum && !inChecksum) {
            inChecksum = true;
            leftBytes = CHECKSUM_BYTES;
        } else if (lastBlock) {
            ended = true;
        }
    }
}
