package io.warpcodec.benchmarks.stream;

import io.warpcodec.benchmarks.TpchText;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * Writes the input of {@code block_decode_bench.cu}: a file cut into blocks, each compressed by lz4-java's fast
 * compressor or by snappy-java.
 *
 * <p>Arguments: the folder to write to, the KiB of a block, then files to compress; {@code lineitem} stands for the
 * first 24 MiB of that TPC-H table.
 */
final class BlockFileWriter {
    private static final int LINEITEM_BYTES = 24 << 20;

    private interface Compressor {
        int compress(byte[] raw, int offset, int length, byte[] target) throws IOException;
    }

    private BlockFileWriter() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        int blockBytes = Integer.parseInt(arguments[1]) << 10;
        LZ4Compressor lz4 = LZ4Factory.fastestInstance().fastCompressor();
        for (int i = 2; i < arguments.length; i++) {
            Path file = Path.of(arguments[i]);
            byte[] raw = arguments[i].equals("lineitem") ? TpchText.lineitem(LINEITEM_BYTES) : Files.readAllBytes(file);
            String name = file.getFileName().toString();
            write(
                    folder.resolve(name + ".lz4b"),
                    raw,
                    blockBytes,
                    (bytes, offset, length, target) -> lz4.compress(bytes, offset, length, target, 0));
            write(
                    folder.resolve(name + ".snpb"),
                    raw,
                    blockBytes,
                    (bytes, offset, length, target) -> Snappy.compress(bytes, offset, length, target, 0));
        }
    }

    private static void write(Path file, byte[] raw, int blockBytes, Compressor compressor) throws IOException {
        byte[] target = new byte[2 * blockBytes];
        try (OutputStream stream = Files.newOutputStream(file);
                DataOutputStream output = new DataOutputStream(stream)) {
            output.write(numbers((raw.length + blockBytes - 1) / blockBytes));
            for (int offset = 0; offset < raw.length; offset += blockBytes) {
                int length = Math.min(blockBytes, raw.length - offset);
                CRC32 crc = new CRC32();
                crc.update(raw, offset, length);
                int compressed = compressor.compress(raw, offset, length, target);
                output.write(numbers(compressed, length, (int) crc.getValue()));
                output.write(target, 0, compressed);
            }
        }
    }

    private static byte[] numbers(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes.array();
    }
}
