package io.warpcodec.engine.gpu.zstd;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.engine.gpu.block.BlockDamage;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdBlockHeader;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jpountz.xxhash.XXHashFactory;

/** Changes to sound frames. */
public final class ZstdFrames {
    private static final int DESCRIPTOR_AT = ZstdFormat.MAGIC_BYTES;
    private static final int CHECKSUM = 4;
    private static final int SIZE_SHIFT = 3;

    private ZstdFrames() {}

    /** A block with its content. */
    private record Block(int headerAt, ZstdBlockHeader header) {
        int at() {
            return headerAt + ZstdFormat.BLOCK_HEADER_BYTES;
        }

        int limit() {
            return at() + header.contentBytes();
        }

        byte[] content(byte[] frame) {
            return Arrays.copyOfRange(frame, at(), limit());
        }
    }

    private static List<Block> blocks(byte[] frame) {
        List<Block> blocks = new ArrayList<>();
        int at = header(frame).bytes();
        boolean last = false;
        while (!last) {
            int number = frame[at] & 0xff | (frame[at + 1] & 0xff) << 8 | (frame[at + 2] & 0xff) << 16;
            Block block = new Block(at, ZstdBlockHeader.of(number));
            blocks.add(block);
            at = block.limit();
            last = block.header.last();
        }
        return blocks;
    }

    private static List<Block> withContent(byte[] frame) {
        return blocks(frame).stream()
                .filter(block -> block.header.contentBytes() > 0)
                .toList();
    }

    private static ZstdFrameHeader header(byte[] frame) {
        return ZstdFrameHeader.at(new BufferWindow(ByteBuffer.wrap(frame), 0), 0);
    }

    /** How many blocks a frame has, empty ones too. */
    static int blockCount(byte[] frame) {
        return blocks(frame).size();
    }

    /** The same content, whose damage must be found in the blocks. */
    public static byte[] withoutChecksum(byte[] frame) {
        byte[] shorter = Arrays.copyOf(frame, frame.length - ZstdFormat.CHECKSUM_BYTES);
        shorter[DESCRIPTOR_AT] &= ~CHECKSUM;
        return shorter;
    }

    /**
     * Damage in the content of a block. Its header says the right length, and the checksum is right if libzstd decodes
     * the frame, so that the damage must be found in the block.
     */
    public static byte[] withDamagedBlock(Random random, byte[] frame, byte[] other) {
        List<Block> blocks = withContent(frame);
        Block block = blocks.get(random.nextInt(blocks.size()));
        byte[] content = BlockDamage.of(
                random, block.content(frame), withContent(other).get(0).content(other));
        byte[] changed = Arrays.copyOf(frame, block.at() + content.length + frame.length - block.limit());
        System.arraycopy(content, 0, changed, block.at(), content.length);
        System.arraycopy(frame, block.limit(), changed, block.at() + content.length, frame.length - block.limit());
        if (block.header.type() != ZstdBlockHeader.RLE) {
            int number = content.length << SIZE_SHIFT | block.header.type() << 1 | (block.header.last() ? 1 : 0);
            for (int index = 0; index < ZstdFormat.BLOCK_HEADER_BYTES; index++) {
                changed[block.headerAt + index] = (byte) (number >>> Byte.SIZE * index);
            }
        }
        sign(changed);
        return changed;
    }

    private static void sign(byte[] frame) {
        if (!header(frame).checksum()) {
            return;
        }
        try {
            byte[] raw = Zstd.decompress(
                    withoutChecksum(frame), Math.toIntExact(header(frame).contentBytes()));
            long hash = XXHashFactory.safeInstance().hash64().hash(raw, 0, raw.length, 0);
            ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length - ZstdFormat.CHECKSUM_BYTES, (int)
                    hash);
        } catch (ZstdException bad) {
            // stays wrong
        }
    }
}
