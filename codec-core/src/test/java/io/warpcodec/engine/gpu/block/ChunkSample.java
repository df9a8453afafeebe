package io.warpcodec.engine.gpu.block;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.gpu.GpuEngines;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.bzip2.Bzip2ReferenceDecoder;
import io.warpcodec.engine.gpu.deflate.DeflateDecodeKernels;
import io.warpcodec.engine.gpu.deflate.DeflateReference;
import io.warpcodec.engine.gpu.zstd.ZstdFrames;
import io.warpcodec.format.UnitDetail;
import io.warpcodec.format.bzip2.Bzip2Block;
import io.warpcodec.format.bzip2.Bzip2Format;
import io.warpcodec.format.checksum.XxHash32;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;

/**
 * A sound chunk as its format's scanner cuts it, and ways to damage it: in a block, in a length, or anywhere. Damage in
 * a block leaves all lengths of the container right, so that it gets to the block's decoder.
 *
 * @param bytes of the chunk
 * @param rawBytes the scanner's hint
 * @param detail the scanner's detail
 * @param bodies where its blocks lie; none if a device does not take it
 */
public record ChunkSample(
        GpuStreams kind, byte[] bytes, int rawBytes, UnitDetail detail, List<DecodePlan.Body> bodies) {
    /** Of the frames that our writer makes: with a content size, without a dictionary. */
    private static final int FRAME_HEADER_BYTES = 15;

    private static final int FRAME_FLG_AT = 4;
    private static final int FRAME_CONTENT_BYTES_AT = 6;
    private static final int FRAME_CONTENT_CHECKSUM = 0x04;
    private static final int WORD_BYTES = 4;

    /** The chunks of a file. */
    public static List<ChunkSample> of(GpuStreams kind, byte[] file, CodecOptions options) throws IOException {
        List<ChunkSample> samples = new ArrayList<>();
        Engine before = Engines.selector().accelerator();
        Engines.installAccelerator(new RecordingEngine(chunk -> samples.add(of(kind, chunk, options))));
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), kind.format, kind.options)) {
            in.readAllBytes();
        } finally {
            Engines.installAccelerator(before);
        }
        return samples;
    }

    private static ChunkSample of(GpuStreams kind, Chunk chunk, CodecOptions options) {
        byte[] bytes = new byte[chunk.bytes()];
        chunk.view().get(bytes);
        return of(kind, bytes, chunk.rawBytes(), chunk.detail(), options);
    }

    private static ChunkSample of(
            GpuStreams kind, byte[] bytes, int rawBytes, UnitDetail detail, CodecOptions options) {
        DecodePlan plan = GpuEngines.planner(kind.format, options)
                .plan(chunk(bytes, rawBytes, detail), options.outputBudgetBytes());
        return new ChunkSample(kind, bytes, rawBytes, detail, plan.bodies());
    }

    /** Whether it can do without its content checksum. */
    boolean mayLackContentChecksum() {
        return isFrame() || kind == GpuStreams.ZSTD;
    }

    /** This frame without a content checksum, so that damage in a block must be found in the block. */
    ChunkSample withoutContentChecksum(CodecOptions options) {
        if (kind == GpuStreams.ZSTD) {
            return of(kind, ZstdFrames.withoutChecksum(bytes), rawBytes, detail, options);
        }
        byte[] shorter = Arrays.copyOf(bytes, bytes.length - WORD_BYTES);
        shorter[frameAt() + FRAME_FLG_AT] &= ~FRAME_CONTENT_CHECKSUM;
        sign(shorter);
        return of(kind, shorter, rawBytes, detail, options);
    }

    /**
     * A chunk of these bytes with what the scanner said of the sample; a bzip2 block is as much longer or shorter as
     * they are.
     */
    public Chunk chunk(byte[] changed) {
        if (detail instanceof Bzip2Block block) {
            int bitLength = block.bitLength() + Byte.SIZE * (changed.length - bytes.length);
            return chunk(
                    changed,
                    rawBytes,
                    new Bzip2Block(block.bitOffset(), Math.max(0, bitLength), block.level(), block.exact()));
        }
        return chunk(changed, rawBytes, detail);
    }

    private static Chunk chunk(byte[] bytes, int rawBytes, UnitDetail detail) {
        return Chunk.encoded(
                new Lease(ByteBuffer.wrap(bytes), "sample", () -> {}), 0, bytes.length, 0, rawBytes, detail);
    }

    /** A damaged copy; {@code other} is a sample of the same kind. */
    byte[] damaged(Random random, ChunkSample other) {
        int way = random.nextInt(8);
        if (bodies.isEmpty() || other.bodies.isEmpty() || way == 0) {
            return BlockDamage.of(random, bytes, other.bytes);
        }
        DecodePlan.Body body = bodies.get(random.nextInt(bodies.size()));
        if (way == 1 && kind != GpuStreams.BZIP2) {
            return withLyingLength(random, body);
        }
        if (kind == GpuStreams.ZSTD) {
            return ZstdFrames.withDamagedBlock(random, bytes, other.bytes);
        }
        byte[] block = Arrays.copyOfRange(bytes, body.at(), body.at() + body.bytes());
        DecodePlan.Body next = other.bodies.get(0);
        byte[] nextBlock = Arrays.copyOfRange(other.bytes, next.at(), next.at() + next.bytes());
        return withBlock(body, BlockDamage.of(random, block, nextBlock));
    }

    /** With another block in a block's place, and its length. */
    private byte[] withBlock(DecodePlan.Body body, byte[] block) {
        byte[] changed = new byte[bytes.length - body.bytes() + block.length];
        System.arraycopy(bytes, 0, changed, 0, body.at());
        System.arraycopy(block, 0, changed, body.at(), block.length);
        int behind = body.at() + body.bytes();
        System.arraycopy(bytes, behind, changed, body.at() + block.length, bytes.length - behind);
        if (kind == GpuStreams.GZIP) {
            signMember(changed, block);
            return changed;
        }
        if (kind == GpuStreams.BZIP2) {
            signBlock(changed);
            return changed;
        }
        int stored = bytes(changed).getInt(blockLengthAt(body)) & 0x8000_0000;
        bytes(changed).putInt(blockLengthAt(body), block.length | (isFrame() ? stored : 0));
        return changed;
    }

    /** With a length of a block, compressed or raw, or of the chunk, that is not true. */
    private byte[] withLyingLength(Random random, DecodePlan.Body body) {
        byte[] changed = bytes.clone();
        boolean tellsOne = kind == GpuStreams.GZIP || kind == GpuStreams.ZSTD;
        int at = !tellsOne && random.nextBoolean() ? blockLengthAt(body) : rawLengthAt(body);
        int length = bytes(changed).getInt(at);
        bytes(changed)
                .putInt(
                        at,
                        switch (random.nextInt(4)) {
                            case 0 -> length + 1 + random.nextInt(3);
                            case 1 -> length - 1 - random.nextInt(3);
                            case 2 -> length ^ 1 << random.nextInt(32);
                            default -> random.nextInt();
                        });
        if (isFrame()) {
            sign(changed);
        }
        return changed;
    }

    private boolean isFrame() {
        return kind == GpuStreams.LZ4_FRAME;
    }

    private int blockLengthAt(DecodePlan.Body body) {
        return body.at() - (kind == GpuStreams.LZ4_BLOCK ? 3 : 1) * WORD_BYTES;
    }

    /** Of the frame, of the LZ4Block, of Hadoop's outer block, or at the front of Snappy's own block. */
    private int rawLengthAt(DecodePlan.Body body) {
        return switch (kind) {
            case LZ4_FRAME -> frameAt() + FRAME_CONTENT_BYTES_AT;
            case LZ4_BLOCK -> body.at() - 2 * WORD_BYTES;
            case LZ4_HADOOP, SNAPPY_HADOOP -> 0;
            case SNAPPY_XERIAL -> body.at();
            case GZIP -> bytes.length - WORD_BYTES;
            case ZSTD -> ZstdFormat.LEAST_HEADER_BYTES;
            case BZIP2 -> throw new IllegalStateException("a bzip2 block names no length");
        };
    }

    /** Numbers as this kind of container has them. */
    private ByteBuffer bytes(byte[] of) {
        boolean little = kind.format != Format.SNAPPY && kind.options.framing() != Framing.HADOOP;
        return ByteBuffer.wrap(of).order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    }

    /** Behind the index or marker that may precede a frame. */
    private int frameAt() {
        return bodies.get(0).at() - WORD_BYTES - FRAME_HEADER_BYTES;
    }

    /** Makes a member's trailer right if its body decodes, so that damage must be found in the body. */
    private void signMember(byte[] changed, byte[] body) {
        DeflateReference.decode(body, DeflateDecodeKernels.MAX_OUTPUT_BYTES).ifPresent(raw -> {
            CRC32 crc = new CRC32();
            crc.update(raw);
            bytes(changed).putInt(changed.length - 2 * WORD_BYTES, (int) crc.getValue());
            bytes(changed).putInt(changed.length - WORD_BYTES, raw.length);
        });
    }

    /** Makes a bzip2 block's CRC right if its bits are a block, so that damage must be found in them. */
    private void signBlock(byte[] changed) {
        DecodePlan plan =
                GpuEngines.planner(kind.format, kind.options).plan(chunk(changed), kind.options.outputBudgetBytes());
        if (plan.refusal() == null) {
            DecodePlan.Body body = plan.bodies().get(0);
            byte[] input = Arrays.copyOf(body.preamble(), body.inputBytes());
            System.arraycopy(changed, 0, input, body.preamble().length, changed.length);
            Bzip2ReferenceDecoder.crc(input, body.rawBytes()).ifPresent(crc -> {
                int crcAt = ((Bzip2Block) detail).bitOffset() + Bzip2Format.MAGIC_BITS;
                for (int bit = 0; bit < Integer.SIZE; bit++) {
                    int mask = 0x80 >>> (crcAt + bit & 7);
                    boolean one = (crc << bit & 0x8000_0000) != 0;
                    byte before = changed[crcAt + bit >>> 3];
                    changed[crcAt + bit >>> 3] = (byte) (one ? before | mask : before & ~mask);
                }
            });
        }
    }

    /** Makes the checksum of the frame's header right. */
    private void sign(byte[] changed) {
        int checksumAt = frameAt() + FRAME_HEADER_BYTES - 1;
        int hashedAt = frameAt() + FRAME_FLG_AT;
        XxHash32 hash = new XxHash32(0);
        hash.update(changed, hashedAt, checksumAt - hashedAt);
        changed[checksumAt] = (byte) (hash.value() >>> 8);
    }
}
