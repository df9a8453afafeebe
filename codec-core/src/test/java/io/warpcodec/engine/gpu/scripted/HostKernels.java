package io.warpcodec.engine.gpu.scripted;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockGpuEncoder;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.LongBlockBatch;
import io.warpcodec.engine.gpu.bzip2.HostBzip2;
import io.warpcodec.engine.gpu.bzip2.HostBzip2Encoder;
import io.warpcodec.engine.gpu.checksum.ChecksumKernels;
import io.warpcodec.engine.gpu.deflate.DeflateDecodeKernels;
import io.warpcodec.engine.gpu.deflate.DeflateEncodeKernels;
import io.warpcodec.engine.gpu.deflate.DeflateReference;
import io.warpcodec.engine.gpu.deflate.HostSegments;
import io.warpcodec.engine.gpu.lz4.HostLz4Price;
import io.warpcodec.engine.gpu.lz4.Lz4ReferenceDecoder;
import io.warpcodec.engine.gpu.zstd.HostZstd;
import io.warpcodec.engine.gpu.zstd.HostZstdEncoder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import net.jpountz.xxhash.XXHashFactory;
import org.xerial.snappy.Snappy;

/**
 * The kernels' work in Java, for {@link ScriptedDriver}: same arguments, same tables, same statuses where they
 * matter. lz4-java and snappy-java encode and decode the blocks, the JDK's zlib decodes DEFLATE; like the kernels,
 * LZ4's refuses an offset of 0.
 */
public final class HostKernels {
    /** Fills what a refused block's output may hold. */
    private static final byte GARBAGE = (byte) 0xDB;

    private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

    private HostKernels() {}

    /** All of them by entry name. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>(Map.of(
                "lz4_decode_blocks", decodeBlocks(HostKernels::lz4),
                "lz4_decode_blocks_team", decodeBlocks(HostKernels::lz4),
                "snappy_decode_blocks", decodeBlocks(HostKernels::snappy),
                "snappy_decode_blocks_team", decodeBlocks(HostKernels::snappy),
                "lz4_encode_blocks", encodeBlocks(LZ4Factory.fastestInstance().fastCompressor()::compress),
                "snappy_encode_blocks", encodeBlocks(Snappy::compress),
                "checksum_crc32_chunks", HostKernels::crc32,
                "checksum_xxh32_contents", HostKernels::xxh32,
                "checksum_xxh64_contents", HostKernels::xxh64));
        kernels.put("deflate_decode_bodies", HostKernels::decodeBodies);
        kernels.put("deflate_decode_bodies_paired", HostKernels::decodeBodies);
        kernels.put("deflate_decode_bodies_team", HostKernels::decodeBodies);
        kernels.putAll(HostSegments.all());
        kernels.putAll(HostBzip2.all());
        kernels.putAll(HostBzip2Encoder.all());
        kernels.putAll(HostZstd.all());
        kernels.putAll(HostZstdEncoder.all());
        kernels.putAll(HostLz4Price.all());
        kernels.putAll(Map.of(
                "deflate_encode_blocks_fast", HostKernels::leftToTheLast,
                "deflate_encode_blocks_deep", HostKernels::leftToTheLast,
                "deflate_encode_best_find", HostKernels::findPlacesByPrice,
                "deflate_encode_best_parse", HostKernels::leftToTheLast,
                "deflate_encode_best_price", HostKernels::leftToTheLast,
                "deflate_encode_best_write", HostKernels::leftToTheLast,
                "deflate_encode_join", HostKernels::encodeDeflate));
        kernels.putAll(Map.of(
                "lz4_long_guess_pieces", HostKernels::leftToTheLast,
                "lz4_long_stitch_blocks", HostKernels::leftToTheLast,
                "lz4_long_find_sources", HostKernels::leftToTheLast,
                "lz4_long_produce", HostKernels::decodeLongBlocks));
        return kernels;
    }

    /** The last of the kernels that share the work does all of it here. */
    private static void leftToTheLast(ScriptedDriver memory, KernelArguments arguments) {}

    /** Decodes the blocks in order, so that each finds the output that it refers to. */
    private static void decodeLongBlocks(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int blockCount = arguments.int32("block_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) LongBlockBatch.ENTRY_BYTES * blockCount);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * blockCount);
        requireScratch(memory, arguments);
        int pieces = 0;
        int tiles = 0;
        for (int block = 0; block < blockCount; block++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] input = new byte[entries.getInt()];
            int outputLimit = entries.getInt();
            byte[] window = new byte[entries.getInt()];
            within(arguments, "input_bytes", inputAt, input.length);
            within(arguments, "output_bytes", outputAt, outputLimit);
            if (entries.getInt() != pieces || entries.getInt() != tiles || entries.getInt() != 0) {
                throw new AssertionError("pieces or tiles are not numbered through");
            }
            pieces += Math.max(1, (input.length + LongBlockBatch.PIECE_BYTES - 1) / LongBlockBatch.PIECE_BYTES);
            long reach = outputAt % LongBlockBatch.TILE_BYTES + outputLimit + LongBlockBatch.TILE_BYTES - 1;
            tiles += Math.max(1, (int) (reach / LongBlockBatch.TILE_BYTES));
            memory.at(arguments.int64("input") + inputAt, input.length).get(input);
            memory.at(arguments.int64("output") + outputAt - window.length, window.length)
                    .get(window);
            Optional<byte[]> raw = Lz4ReferenceDecoder.decode(input, window, outputLimit);
            raw.ifPresentOrElse(
                    bytes -> results.putInt(0).putInt(bytes.length),
                    () -> results.putInt(BlockResult.Status.TRUNCATED.ordinal()).putInt(0));
            byte[] garbage = new byte[outputLimit];
            Arrays.fill(garbage, GARBAGE);
            memory.at(arguments.int64("output") + outputAt, outputLimit).put(raw.orElse(garbage));
        }
        if (pieces != arguments.int32("piece_count") || tiles != arguments.int32("tile_count")) {
            throw new AssertionError("wrong count of pieces or tiles");
        }
    }

    /** The scratch is there, and its parts do not overlap. */
    private static void requireScratch(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int pieces = arguments.int32("piece_count");
        String[] parts = {"sources", "guesses", "starts", "defects"};
        long[] bytes = {
            Integer.BYTES * arguments.int64("output_bytes"),
            (long) LongBlockBatch.GUESS_BYTES * pieces,
            (long) LongBlockBatch.START_BYTES * pieces,
            (long) Integer.BYTES * arguments.int32("block_count")
        };
        for (int part = 0; part < bytes.length; part++) {
            long at = arguments.int64(parts[part]);
            memory.at(at, bytes[part]);
            if (part > 0 && arguments.int64(parts[part - 1]) + bytes[part - 1] > at) {
                throw new AssertionError("parts of the scratch overlap");
            }
        }
    }

    /** A library's encoder. */
    private interface Encoder {
        byte[] encode(byte[] raw) throws IOException;
    }

    private static Kernel encodeBlocks(Encoder encoder) {
        return (memory, arguments) -> {
            ByteBuffer entries = memory.at(
                    arguments.int64("entries"), (long) BlockGpuEncoder.ENTRY_BYTES * arguments.int32("block_count"));
            ByteBuffer results = memory.at(
                    arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * arguments.int32("block_count"));
            for (int block = 0; block < arguments.int32("block_count"); block++) {
                long inputAt = entries.getLong();
                long outputAt = entries.getLong();
                byte[] raw = new byte[entries.getInt()];
                int placeBytes = entries.getInt();
                scribbleStrips(memory, arguments, entries.getLong(), raw.length);
                within(arguments, "input_bytes", inputAt, raw.length);
                within(arguments, "output_bytes", outputAt, placeBytes);
                memory.at(arguments.int64("input") + inputAt, raw.length).get(raw);
                byte[] encoded;
                try {
                    encoded = encoder.encode(raw);
                } catch (IOException impossible) {
                    throw new AssertionError(impossible);
                }
                if (encoded.length <= placeBytes) {
                    memory.at(arguments.int64("output") + outputAt, encoded.length)
                            .put(encoded);
                    results.putInt(0).putInt(encoded.length);
                } else {
                    results.putInt(BlockResult.Status.OUTPUT_EXCEEDED.ordinal()).putInt(0);
                }
            }
        };
    }

    /** The arrays of the level by price are there, and lie behind the others. */
    private static void findPlacesByPrice(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        long placesBytes = arguments.int64("slots_bytes");
        long matchesBytes = DeflateEncodeKernels.PLACE_MATCHES_BYTES * placesBytes;
        long pricesBytes = (long) DeflateEncodeKernels.PRICES_BYTES * arguments.int32("unit_count");
        memory.at(arguments.int64("matches"), matchesBytes);
        memory.at(arguments.int64("prices"), pricesBytes);
        memory.at(arguments.int64("steps"), Integer.BYTES * placesBytes);
        if (arguments.int64("tokens") + Short.BYTES * placesBytes > arguments.int64("matches")
                || arguments.int64("matches") + matchesBytes > arguments.int64("prices")
                || arguments.int64("prices") + pricesBytes > arguments.int64("steps")) {
            throw new AssertionError("parts of the scratch overlap");
        }
    }

    private static void encodeDeflate(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("range_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) DeflateEncodeKernels.ENTRY_BYTES * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        long placesBytes = arguments.int64("slots_bytes");
        int unitCount = arguments.int32("unit_count");
        memory.at(arguments.int64("records"), (long) DeflateEncodeKernels.RECORD_BYTES * unitCount);
        memory.at(arguments.int64("slots"), placesBytes);
        memory.at(arguments.int64("tokens"), Short.BYTES * placesBytes);
        if (arguments.int64("slots") + placesBytes > arguments.int64("tokens")) {
            throw new AssertionError("parts of the scratch overlap");
        }
        int units = 0;
        for (int range = 0; range < count; range++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] raw = new byte[entries.getInt()];
            int placeBytes = entries.getInt();
            int blocks = (raw.length + DeflateEncodeKernels.BLOCK_BYTES - 1) / DeflateEncodeKernels.BLOCK_BYTES;
            long placeLimit = entries.getLong() + raw.length + (long) blocks * DeflateEncodeKernels.SLOT_SLACK_BYTES;
            within(arguments, "input_bytes", inputAt, raw.length);
            within(arguments, "output_bytes", outputAt, placeBytes);
            if (placeLimit > placesBytes || entries.getInt() != units) {
                throw new AssertionError("places do not suffice, or units are not numbered through");
            }
            byte[] window = new byte[entries.getShort() & 0xffff];
            boolean flushes = entries.getShort() != 0;
            units += Math.max(1, blocks);
            memory.at(arguments.int64("input") + inputAt, raw.length).get(raw);
            memory.at(arguments.int64("input") + inputAt - window.length, window.length)
                    .get(window);
            Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
            deflater.setDictionary(window);
            deflater.setInput(raw);
            if (!flushes) {
                deflater.finish();
            }
            byte[] encoded = new byte[placeBytes + 1];
            int length =
                    deflater.deflate(encoded, 0, encoded.length, flushes ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH);
            deflater.end();
            if (length <= placeBytes) {
                memory.at(arguments.int64("output") + outputAt, length).put(encoded, 0, length);
                results.putInt(0).putInt(length);
            } else {
                results.putInt(BlockResult.Status.OUTPUT_EXCEEDED.ordinal()).putInt(0);
            }
        }
        if (units != unitCount) {
            throw new AssertionError("wrong count of units");
        }
    }

    /** As the others, and the room for tokens is there. */
    private static void decodeBodies(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        memory.at(arguments.int64("tokens"), 2L * DeflateDecodeKernels.WARP_TOKEN_BYTES);
        decodeBlocks(DeflateReference::decode).run(memory, arguments);
    }

    /** Adds to words that hold the final inversion, as the kernel does. */
    private static void crc32(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("chunk_count");
        ByteBuffer chunks = memory.at(arguments.int64("chunks"), (long) ChecksumKernels.CHUNK_ENTRY_BYTES * count);
        ByteBuffer values = memory.at(arguments.int64("crc32"), (long) Integer.BYTES * count);
        for (int chunk = 0; chunk < count; chunk++) {
            chunks.getLong();
            long at = chunks.getLong();
            byte[] bytes = new byte[Math.toIntExact(chunks.getLong())];
            within(arguments, "input_bytes", at, bytes.length);
            memory.at(arguments.int64("input") + at, bytes.length).get(bytes);
            CRC32 crc = new CRC32();
            crc.update(bytes);
            values.putInt((int) crc.getValue());
        }
    }

    /** What a kernel does with a block's share of the memory for strips, which no other block may have. */
    private static void scribbleStrips(ScriptedDriver memory, KernelArguments arguments, long at, int rawBytes)
            throws DeviceException {
        int bytes = rawBytes + rawBytes / 4;
        within(arguments, "strips_bytes", at, bytes);
        byte[] garbage = new byte[bytes];
        Arrays.fill(garbage, GARBAGE);
        memory.at(arguments.int64("strips") + at, bytes).put(garbage);
    }

    private static void xxh32(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        hash(
                memory,
                arguments,
                (bytes, seed) -> XXHashFactory.safeInstance().hash32().hash(bytes, 0, bytes.length, seed));
    }

    private static void xxh64(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        hash(memory, arguments, (bytes, seed) ->
                (int) XXHashFactory.safeInstance().hash64().hash(bytes, 0, bytes.length, Integer.toUnsignedLong(seed)));
    }

    private interface ContentHash {
        int of(byte[] bytes, int seed);
    }

    private static void hash(ScriptedDriver memory, KernelArguments arguments, ContentHash hash)
            throws DeviceException {
        int count = arguments.int32("content_count");
        ByteBuffer contents =
                memory.at(arguments.int64("contents"), (long) ChecksumKernels.CONTENT_ENTRY_BYTES * count);
        ByteBuffer hashes = memory.at(arguments.int64("hashes"), (long) Integer.BYTES * count);
        for (int content = 0; content < count; content++) {
            long at = contents.getLong();
            byte[] bytes = new byte[contents.getInt()];
            within(arguments, "input_bytes", at, bytes.length);
            memory.at(arguments.int64("input") + at, bytes.length).get(bytes);
            hashes.putInt(hash.of(bytes, contents.getInt()));
        }
    }

    private static Kernel decodeBlocks(BlockTrial.Reference reference) {
        return (memory, arguments) -> {
            ByteBuffer entries = memory.at(
                    arguments.int64("entries"), (long) BlockBatch.ENTRY_BYTES * arguments.int32("block_count"));
            ByteBuffer results = memory.at(
                    arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * arguments.int32("block_count"));
            for (int block = 0; block < arguments.int32("block_count"); block++) {
                long inputAt = entries.getLong();
                long outputAt = entries.getLong();
                int inputBytes = entries.getInt();
                int outputLimit = entries.getInt();
                byte[] input = new byte[inputBytes];
                within(arguments, "input_bytes", inputAt, inputBytes);
                within(arguments, "output_bytes", outputAt, outputLimit);
                memory.at(arguments.int64("input") + inputAt, inputBytes).get(input);
                ByteBuffer output = memory.at(arguments.int64("output") + outputAt, outputLimit);
                Optional<byte[]> raw = reference.decode(input, outputLimit);
                if (raw.isPresent()) {
                    output.put(raw.get());
                    results.putInt(0).putInt(raw.get().length);
                } else {
                    byte[] garbage = new byte[outputLimit];
                    Arrays.fill(garbage, GARBAGE);
                    output.put(garbage);
                    results.putInt(BlockResult.Status.TRUNCATED.ordinal()).putInt(0);
                }
            }
        };
    }

    private static Optional<byte[]> lz4(byte[] block, int outputLimit) {
        try {
            byte[] raw = LZ4.decompress(block, 0, block.length, outputLimit);
            return hasOffsetZero(block) ? Optional.empty() : Optional.of(raw);
        } catch (LZ4Exception bad) {
            return Optional.empty();
        }
    }

    /** Walks the sequences of a valid block. */
    private static boolean hasOffsetZero(byte[] block) {
        int at = 0;
        while (true) {
            int token = block[at++];
            int literals = token >>> 4 & 15;
            for (int more = 255; literals >= 15 && more == 255; literals += more) {
                more = block[at++] & 0xff;
            }
            at += literals;
            if (at == block.length) {
                return false;
            }
            if (block[at] == 0 && block[at + 1] == 0) {
                return true;
            }
            at += 2;
            for (int more = 255; (token & 15) == 15 && more == 255; ) {
                more = block[at++] & 0xff;
            }
        }
    }

    private static Optional<byte[]> snappy(byte[] block, int outputLimit) {
        try {
            boolean fits = Snappy.uncompressedLength(block) <= outputLimit;
            return fits ? Optional.of(Snappy.uncompress(block)) : Optional.empty();
        } catch (IOException | RuntimeException bad) {
            return Optional.empty();
        }
    }

    private static void within(KernelArguments arguments, String size, long at, long bytes) {
        if (at < 0 || at + bytes > arguments.int64(size)) {
            throw new AssertionError("a table entry reaches beyond its buffer");
        }
    }
}
