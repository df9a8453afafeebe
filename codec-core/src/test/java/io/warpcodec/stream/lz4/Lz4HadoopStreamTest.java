package io.warpcodec.stream.lz4;

import static io.warpcodec.forge.Lz4Forge.block;
import static io.warpcodec.stream.StreamRig.concat;
import static io.warpcodec.stream.StreamRig.cut;
import static io.warpcodec.stream.StreamRig.flipped;
import static io.warpcodec.stream.StreamRig.noise;
import static io.warpcodec.stream.StreamRig.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.SizedOptions;
import io.warpcodec.forge.HadoopFramingForge;
import io.warpcodec.forge.Lz4Forge;
import io.warpcodec.format.lz4.Lz4Format;
import io.warpcodec.stream.StreamRig;
import io.warpcodec.stream.VectorFolder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class Lz4HadoopStreamTest {
    private static final CodecOptions HADOOP = CodecOptions.DEFAULTS.withFraming(Framing.HADOOP);
    private static final StreamRig RIG = new StreamRig(Format.LZ4, HADOOP);
    private static final StreamRig SNIFFING = new StreamRig(Format.LZ4, CodecOptions.DEFAULTS);
    private static final StreamRig LENIENT = new StreamRig(Format.LZ4, HADOOP.withLenient(true));
    /** What a stock reader decodes a chunk into. */
    private static final int STOCK_BUFFER_BYTES = 256 << 10;

    private static byte[] outer(int rawBytes, byte[]... chunks) {
        HadoopFramingForge forge = new HadoopFramingForge(Format.LZ4).total(rawBytes);
        for (byte[] chunk : chunks) {
            forge.chunk(chunk.length, chunk);
        }
        return forge.build();
    }

    private static byte[] outer(byte[] raw) {
        return outer(raw.length, block(raw));
    }

    /** Reads as stock Hadoop reads a sound file, into its fixed buffers. */
    private static byte[] stock(byte[] file) throws IOException {
        LZ4SafeDecompressor library = LZ4Factory.safeInstance().safeDecompressor();
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        byte[] buffer = new byte[STOCK_BUFFER_BYTES];
        while (in.available() > 0) {
            for (int left = in.readInt(); left > 0; ) {
                byte[] chunk = in.readNBytes(in.readInt());
                assertThat(chunk.length).isLessThanOrEqualTo(STOCK_BUFFER_BYTES);
                int count = library.decompress(chunk, 0, chunk.length, buffer, 0, buffer.length);
                raw.write(buffer, 0, count);
                left -= count;
            }
        }
        return raw.toByteArray();
    }

    private static void assertCorrupt(byte[] file) {
        assertThatThrownBy(() -> RIG.read(file)).isInstanceOf(CorruptDataException.class);
        assertThatThrownBy(() -> RIG.push(file, 3, 3)).isInstanceOf(IOException.class);
    }

    @TestFactory
    Stream<DynamicTest> vectorsAreReadAsExpected() throws IOException {
        return Stream.concat(
                new VectorFolder("hadoop-lz4", Format.LZ4, HADOOP).tests(),
                new VectorFolder("hadoop-lz4", Format.LZ4, CodecOptions.DEFAULTS).tests());
    }

    @Test
    void whatWeWriteIsReadByStockReadersAndByUs() throws IOException {
        int chunk = HADOOP.chunkBytes(Format.LZ4);
        assertThat(chunk).isEqualTo(Lz4Format.HADOOP_CHUNK_BYTES / 2);
        for (int size : new int[] {0, 1, chunk - 1, chunk, chunk + 1, 5 * chunk + 77}) {
            for (byte[] raw : new byte[][] {text(size, size), noise(size, size), new byte[size]}) {
                for (int chunkBytes : new int[] {1024, chunk, CodecOptions.MAX_CHUNK_BYTES}) {
                    byte[] file = new StreamRig(Format.LZ4, HADOOP.withChunkBytes(chunkBytes)).write(raw);
                    assertThat(stock(file)).isEqualTo(raw);
                    assertThat(RIG.read(file)).isEqualTo(raw);
                    assertThat(SNIFFING.read(concat(file, file))).isEqualTo(concat(raw, raw));
                }
            }
        }
        assertThat(RIG.write(new byte[0])).isEqualTo(new byte[4]);
    }

    @Test
    void framesAreReadUnderHadoopsFramingToo() throws IOException {
        byte[] raw = text(300_000, 1);
        assertThat(RIG.read(SNIFFING.write(raw))).isEqualTo(raw);
    }

    @Test
    void outerBlocksOfManyChunksAreRead() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] many = outer(9000, block(raw), block(raw), block(raw));
        byte[] file = concat(outer(raw), many, outer(raw), many, many, outer(raw));
        byte[] all = concat(raw, raw, raw, raw, raw, raw, raw, raw, raw, raw, raw, raw);
        assertThat(RIG.read(file)).isEqualTo(all);
        for (int piece : new int[] {1, 7, 4096}) {
            assertThat(RIG.read(file, piece, piece)).isEqualTo(all);
            assertThat(RIG.push(file, piece, piece)).isEqualTo(all);
        }
    }

    @Test
    void zeroLengthBlocksAreReadOver() throws IOException {
        byte[] raw = text(3000, 1);
        byte[] file = concat(new byte[4], outer(raw), new byte[8], outer(raw), new byte[4]);
        assertThat(RIG.read(file)).isEqualTo(concat(raw, raw));
        assertThat(RIG.push(file, 5, 5)).isEqualTo(concat(raw, raw));
        assertThat(LENIENT.read(file)).as("as stock Hadoop").isEmpty();
        assertThat(RIG.read(new byte[0])).isEmpty();
    }

    @Test
    void chunksOverTheWritersDefaultAreReadUpToTheBudget() throws IOException {
        byte[] raw = text(5 << 20, 1);
        byte[] file = outer(raw);
        assertThat(RIG.read(file)).isEqualTo(raw);
        assertThat(RIG.read(outer(2 * raw.length, block(raw), block(raw)))).isEqualTo(concat(raw, raw));
        StreamRig tight = new StreamRig(Format.LZ4, SizedOptions.withOutputBudgetBytes(HADOOP, 1 << 20));
        assertThatThrownBy(() -> tight.read(file)).isInstanceOf(CorruptDataException.class);
        assertThat(tight.read(outer(
                        raw.length,
                        block(cut(raw, 1 << 20)),
                        block(cut(raw, 1 << 20)),
                        block(cut(raw, 1 << 20)),
                        block(cut(raw, 1 << 20)),
                        block(cut(raw, 1 << 20)))))
                .hasSize(raw.length);
    }

    @Test
    void lengthsThatCannotBeAreRefused() {
        byte[] raw = text(900, 1);
        byte[] block = block(raw);
        assertCorrupt(outer(-1, block));
        assertCorrupt(concat(outer(raw), outer(-1, block)));
        assertCorrupt(new Lz4Forge().be32(900).be32(-5).put(block).toArray());
        assertCorrupt(new Lz4Forge().be32(900).be32(0).put(block).toArray());
        assertCorrupt(
                new Lz4Forge().be32(900).be32(Integer.MAX_VALUE).put(block).toArray());
        assertCorrupt(new Lz4Forge()
                .be32(Integer.MAX_VALUE)
                .be32(Integer.MAX_VALUE)
                .put(block)
                .toArray());
        assertCorrupt(outer(899, block));
        assertThatThrownBy(() -> RIG.read(outer(901, block))).isInstanceOf(EOFException.class);
        assertCorrupt(concat(outer(901, block), outer(raw)));
    }

    @Test
    void everyTruncationIsAnEofExceptionOrLenientlyTheEnd() throws IOException {
        byte[] raw = text(500, 1);
        byte[] one = outer(raw);
        byte[] file = concat(one, outer(raw));
        for (int bytes = 1; bytes < file.length; bytes++) {
            byte[] part = cut(file, bytes);
            byte[] whole = bytes < one.length ? new byte[0] : raw;
            assertThat(LENIENT.read(part)).as("cut at %d", bytes).isEqualTo(whole);
            if (bytes != one.length) {
                assertThatThrownBy(() -> RIG.read(part)).as("cut at %d", bytes).isInstanceOf(EOFException.class);
            }
        }
    }

    @Test
    void lenientReadingStopsAfterABlockThatHoldsMoreThanItSays() throws IOException {
        byte[] raw = text(900, 1);
        assertThat(LENIENT.read(concat(outer(899, block(raw)), outer(raw)))).isEqualTo(raw);
        assertThat(LENIENT.read(concat(outer(-3, block(raw)), outer(raw)))).isEqualTo(raw);
        assertThat(LENIENT.read(concat(outer(Integer.MIN_VALUE, block(raw), block(raw)))))
                .isEqualTo(raw);
        assertThat(LENIENT.read(concat(outer(raw), outer(-3, block(raw)), outer(raw))))
                .isEqualTo(raw);
        assertThat(LENIENT.read(outer(901, block(raw)))).isEqualTo(raw);
        assertThat(LENIENT.read(concat(outer(raw), outer(raw)))).isEqualTo(concat(raw, raw));
        assertThatThrownBy(() -> LENIENT.read(outer(900, noise(600, 1)))).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void flippedBitsNeverEscapeAsAnythingButAnIoException() throws IOException {
        byte[] raw = text(500, 1);
        byte[] file = outer(raw);
        for (int bit = 0; bit < file.length * 8; bit++) {
            try {
                assertThat(RIG.read(flipped(file, bit))).hasSizeLessThanOrEqualTo(raw.length + 1024);
            } catch (IOException expected) {
                assertThat(expected).isInstanceOfAny(CorruptDataException.class, EOFException.class);
            }
        }
    }
}
