package io.warpcodec.engine.gpu.huffman;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.gpu.block.BlockBatch;
import io.warpcodec.engine.gpu.block.BlockResult.Status;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/**
 * The kernels of the stage {@code huffman} in Java, for {@link ScriptedDriver}: same arguments, same tables, same statuses, by {@link HuffmanReference}. The last of those
 * that share the work does all of it.
 */
public final class HostHuffman {
    private static final int SYMBOLS = 256;

    private HostHuffman() {}

    public static Map<String, Kernel> all() {
        return Map.of(
                "huffman_synchronise_pieces",
                (memory, arguments) -> {},
                "huffman_stitch_streams",
                (memory, arguments) -> {},
                "huffman_write_pieces",
                HostHuffman::decode,
                "huffman_measure_pieces",
                (memory, arguments) -> {},
                "huffman_place_streams",
                (memory, arguments) -> {},
                "huffman_encode_pieces",
                HostHuffman::encode,
                "huffman_count_symbols",
                HostHuffman::count,
                "huffman_build_codes",
                HostHuffman::notUsed);
    }

    /** A range of a buffer, whose size is another field. */
    private static byte[] read(ScriptedDriver memory, KernelArguments arguments, String buffer, long at, int length)
            throws DeviceException {
        requireWithin(arguments, buffer, at, length);
        byte[] bytes = new byte[length];
        memory.at(arguments.int64(buffer) + at, length).get(bytes);
        return bytes;
    }

    private static void requireWithin(KernelArguments arguments, String buffer, long at, int length) {
        if (at < 0 || length < 0 || at > arguments.int64(buffer + "_bytes") - length) {
            throw new AssertionError("a table names bytes beyond its buffer");
        }
    }

    private static void requireNumbered(int expected, int actual) {
        if (expected != actual) {
            throw new AssertionError("pieces are not numbered through");
        }
    }

    private static int pieces(long units, long unitsOfPiece) {
        return (int) Math.max(1, (units + unitsOfPiece - 1) / unitsOfPiece);
    }

    private static void notUsed(ScriptedDriver memory, KernelArguments arguments) {
        throw new AssertionError("this kernel is not launched here");
    }

    private static void decode(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("stream_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) HuffmanKernels.STREAM_ENTRY_BYTES * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        int pieceCount = arguments.int32("piece_count");
        memory.at(arguments.int64("parts"), 32L * HuffmanKernels.PART_NOTE_BYTES * pieceCount);
        memory.at(arguments.int64("pieces"), (long) HuffmanKernels.PIECE_NOTE_BYTES * pieceCount);
        int firstPiece = 0;
        for (int index = 0; index < count; index++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] lengths = read(memory, arguments, "input", entries.getLong(), SYMBOLS);
            byte[] coded = read(memory, arguments, "input", inputAt, entries.getInt());
            int symbolCount = entries.getInt();
            requireNumbered(firstPiece, entries.getInt());
            entries.getInt();
            requireWithin(arguments, "output", outputAt, symbolCount);
            firstPiece += pieces(8L * coded.length, HuffmanKernels.PIECE_BITS);
            Optional<byte[]> raw = HuffmanReference.decode(coded, lengths, symbolCount);
            if (raw.isPresent()) {
                memory.at(arguments.int64("output") + outputAt, symbolCount).put(raw.get());
                results.putInt(Status.SOUND.ordinal()).putInt(symbolCount);
            } else {
                results.putInt(Status.BAD_HEADER.ordinal()).putInt(0);
            }
        }
        requireNumbered(pieceCount, firstPiece);
    }

    private static void encode(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("stream_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) HuffmanKernels.ENCODE_ENTRY_BYTES * count);
        ByteBuffer results = memory.at(arguments.int64("results"), (long) BlockBatch.RESULT_BYTES * count);
        int pieceCount = arguments.int32("piece_count");
        long codeBytes = (long) SYMBOLS * HuffmanKernels.ENCODE_CODE_BYTES * count;
        memory.at(arguments.int64("codes"), codeBytes);
        memory.at(arguments.int64("notes"), (long) HuffmanKernels.ENCODE_NOTE_BYTES * pieceCount);
        if (arguments.int64("codes") + codeBytes > arguments.int64("notes")) {
            throw new AssertionError("parts of the scratch overlap");
        }
        int firstPiece = 0;
        for (int index = 0; index < count; index++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] lengths = read(memory, arguments, "lengths", entries.getLong(), SYMBOLS);
            byte[] raw = read(memory, arguments, "input", inputAt, entries.getInt());
            int outputLimit = entries.getInt();
            requireNumbered(firstPiece, entries.getInt());
            entries.getInt();
            requireWithin(arguments, "output", outputAt, outputLimit);
            firstPiece += pieces(raw.length, HuffmanKernels.ENCODE_PIECE_BYTES);
            HuffmanReference.Encoded encoded = HuffmanReference.tryEncode(raw, lengths, outputLimit);
            results.putInt(encoded.status().ordinal()).putInt((int) encoded.bits());
            memory.at(arguments.int64("output") + outputAt, encoded.bytes().length)
                    .put(encoded.bytes());
        }
        requireNumbered(pieceCount, firstPiece);
    }

    private static void count(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("range_count");
        ByteBuffer entries =
                memory.at(arguments.int64("entries"), (long) HuffmanBuildKernels.COUNT_ENTRY_BYTES * count);
        ByteBuffer weights = memory.at(arguments.int64("weights"), (long) SYMBOLS * Integer.BYTES * count);
        int firstPiece = 0;
        for (int range = 0; range < count; range++) {
            long inputAt = entries.getLong();
            byte[] bytes = read(memory, arguments, "input", inputAt, entries.getInt());
            requireNumbered(firstPiece, entries.getInt());
            firstPiece += pieces(bytes.length, HuffmanBuildKernels.COUNT_PIECE_BYTES);
            for (byte symbol : bytes) {
                int at = Integer.BYTES * (SYMBOLS * range + (symbol & 0xff));
                weights.putInt(at, weights.getInt(at) + 1);
            }
        }
        requireNumbered(arguments.int32("piece_count"), firstPiece);
    }
}
