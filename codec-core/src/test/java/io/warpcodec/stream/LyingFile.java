package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.forge.ZstdForge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import net.jpountz.lz4.LZ4Factory;
import org.xerial.snappy.Snappy;

/**
 * A valid file in which the sizes that only help to cut it lie.
 *
 * @param bytes the file
 * @param raw what it decodes to
 * @param rawBytesAt raw bytes of the unit that begins at an offset
 */
public record LyingFile(Format format, CodecOptions options, byte[] bytes, byte[] raw, Map<Long, Integer> rawBytesAt) {

    /** What a unit claims in place of the truth. */
    public enum Lie {
        NONE,
        ONE_BYTE_LESS,
        ONE_BYTE_MORE,
        HALF_OF_IT,
        TWO_UNITS,
        EIGHT_UNITS,
        /** Or 64 KiB, where the field has no room for so much. */
        ONE_MEBIBYTE,
        /** By turns two units and half of one. */
        MORE_AND_LESS,
        RAW_NOTHING,
        RAW_ONE_BYTE_LESS,
        RAW_AS_MUCH_AS_MAY_BE;

        boolean isOfRawBytes() {
            return ordinal() >= RAW_NOTHING.ordinal();
        }

        private int bytes(List<byte[]> units, int index) {
            int honest = units.get(index).length;
            return switch (this) {
                case ONE_BYTE_LESS -> honest - 1;
                case ONE_BYTE_MORE -> honest + 1;
                case HALF_OF_IT -> honest / 2;
                case TWO_UNITS -> together(units, index, 2);
                case EIGHT_UNITS -> together(units, index, 8);
                case ONE_MEBIBYTE -> 1 << 20;
                case MORE_AND_LESS -> index % 2 == 0 ? together(units, index, 2) : honest / 2;
                default -> honest;
            };
        }

        private static int together(List<byte[]> units, int index, int count) {
            return units.subList(index, Math.min(units.size(), index + count)).stream()
                    .mapToInt(unit -> unit.length)
                    .sum();
        }

        private int rawBytes(int honest) {
            return switch (this) {
                case RAW_NOTHING -> 0;
                case RAW_ONE_BYTE_LESS -> honest - 1;
                case RAW_AS_MUCH_AS_MAY_BE -> CodecOptions.MAX_CHUNK_BYTES;
                default -> honest;
            };
        }
    }

    /** The kinds of container, and where in a unit its claims stand. */
    public enum Container {
        GZIP(Format.GZIP, Framing.STANDARD, 26, 30),
        BGZF(Format.GZIP, Framing.STANDARD, 16, -1),
        LZ4(Format.LZ4, Framing.STANDARD, 20, 24),
        ZSTD(Format.ZSTD, Framing.STANDARD, 20, 24),
        /** Its lie: an outer block has two inner chunks, where a reader takes it to have one. */
        HADOOP_LZ4(Format.LZ4, Framing.HADOOP, -1, -1),
        HADOOP_SNAPPY(Format.SNAPPY, Framing.STANDARD, -1, -1);

        final Format format;
        final CodecOptions options;
        private final int bytesAt;
        private final int rawBytesAt;

        Container(Format format, Framing framing, int bytesAt, int rawBytesAt) {
            this.format = format;
            this.options = CodecOptions.DEFAULTS.withFraming(framing);
            this.bytesAt = bytesAt;
            this.rawBytesAt = rawBytesAt;
        }

        /** Whether its units can tell this lie. */
        boolean tells(Lie lie) {
            return bytesAt < 0 ? lie == Lie.NONE || lie == Lie.TWO_UNITS : rawBytesAt >= 0 || !lie.isOfRawBytes();
        }

        /**
         * A file of so many units.
         *
         * @param unitRawBytes raw bytes of the first unit; each has one byte less than the one before, down to half
         *     of it
         * @param lying which units lie
         */
        public LyingFile file(int units, int unitRawBytes, Lie lie, IntPredicate lying) throws IOException {
            List<byte[]> honest = new ArrayList<>();
            List<byte[]> contents = new ArrayList<>();
            Map<ByteBuffer, byte[]> made = new HashMap<>();
            for (int i = 0; i < units; i++) {
                byte[] content = StreamRig.text(Math.max(unitRawBytes - i, (unitRawBytes + 1) / 2), i % 16);
                contents.add(content);
                boolean twoChunks = lie != Lie.NONE && bytesAt < 0 && content.length > 1 && lying.test(i);
                ByteBuffer key = ByteBuffer.wrap(content);
                byte[] unit = twoChunks ? null : made.get(key);
                if (unit == null) {
                    unit = unit(content, twoChunks);
                }
                if (!twoChunks) {
                    made.put(key, unit);
                }
                honest.add(unit);
            }
            ByteArrayOutputStream file = new ByteArrayOutputStream();
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            Map<Long, Integer> rawBytesAt = new TreeMap<>();
            for (int i = 0; i < units; i++) {
                rawBytesAt.put((long) file.size(), contents.get(i).length);
                file.writeBytes(lying.test(i) ? claiming(honest, i, contents.get(i).length, lie) : honest.get(i));
                raw.writeBytes(contents.get(i));
            }
            return new LyingFile(format, options, file.toByteArray(), raw.toByteArray(), rawBytesAt);
        }

        private byte[] claiming(List<byte[]> units, int index, int rawBytes, Lie lie) {
            byte[] unit = units.get(index).clone();
            ByteBuffer fields = ByteBuffer.wrap(unit).order(ByteOrder.LITTLE_ENDIAN);
            int claim = lie.bytes(units, index);
            if (this == BGZF) {
                fields.putShort(bytesAt, (short) (Math.min(claim, 1 << 16) - 1));
            } else if (bytesAt >= 0) {
                if (fields.getInt(bytesAt) != unit.length || fields.getInt(this.rawBytesAt) != rawBytes) {
                    throw new AssertionError("the claims stand elsewhere");
                }
                fields.putInt(bytesAt, claim).putInt(this.rawBytesAt, lie.rawBytes(rawBytes));
            }
            return unit;
        }

        private byte[] chunk(byte[] content) throws IOException {
            return new StreamRig(format, options.withChunkBytes(CodecOptions.MAX_CHUNK_BYTES)).write(content);
        }

        private byte[] unit(byte[] content, boolean twoChunks) throws IOException {
            return switch (this) {
                case GZIP, LZ4 -> chunk(content);
                case ZSTD -> ZstdForge.marked(chunk(content), content.length);
                case BGZF -> bgzf(content);
                case HADOOP_LZ4, HADOOP_SNAPPY -> outerBlock(content, twoChunks ? content.length / 2 : content.length);
            };
        }

        private byte[] outerBlock(byte[] content, int innerRawBytes) throws IOException {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            block.writeBytes(ByteBuffer.allocate(4).putInt(content.length).array());
            for (int at = 0; at < content.length; at += innerRawBytes) {
                byte[] inner = Arrays.copyOfRange(content, at, Math.min(content.length, at + innerRawBytes));
                byte[] body = this == HADOOP_LZ4
                        ? LZ4Factory.fastestInstance().fastCompressor().compress(inner)
                        : Snappy.compress(inner);
                block.writeBytes(ByteBuffer.allocate(4).putInt(body.length).array());
                block.writeBytes(body);
            }
            return block.toByteArray();
        }

        private static byte[] bgzf(byte[] content) {
            Deflater deflater = new Deflater(6, true);
            deflater.setInput(content);
            deflater.finish();
            byte[] body = new byte[content.length + 100];
            int bodyBytes = deflater.deflate(body);
            deflater.end();
            CRC32 crc = new CRC32();
            crc.update(content);
            ByteBuffer member = ByteBuffer.allocate(18 + bodyBytes + 8).order(ByteOrder.LITTLE_ENDIAN);
            member.put(new byte[] {0x1f, (byte) 0x8b, 8, 4, 0, 0, 0, 0, 0, (byte) 255, 6, 0, 'B', 'C', 2, 0});
            member.putShort((short) (member.capacity() - 1)).put(body, 0, bodyBytes);
            return member.putInt((int) crc.getValue()).putInt(content.length).array();
        }
    }
}
