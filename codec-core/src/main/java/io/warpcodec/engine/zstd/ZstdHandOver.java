package io.warpcodec.engine.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * Lets libzstd go on at the border between two blocks of a frame: a dictionary (RFC 8878 §5) holds the state there, and
 * the blocks behind follow a header that asks for it.
 */
public final class ZstdHandOver {
    private static final int DICTIONARY_MAGIC = 0xEC30A437;
    private static final int DICTIONARY_ID = 1;
    private static final int HAS_ID_OF_ONE_BYTE = 1;
    /** A code of two symbols, for frames that have had none. */
    private static final byte[] TWO_SYMBOLS = {(byte) 128, 0x10};

    /** A dictionary has offsets in front. */
    private static final int[] ORDER = {1, 2, 0};

    /** Descriptions of the predefined tables (RFC 8878 §3.1.1.3.2.2). */
    private static final byte[][] PREDEFINED = {
        HexFormat.of().parseHex("5110638c31c618630c21c4186366668646920400"),
        HexFormat.of().parseHex("2084104266464444444424490200"),
        HexFormat.of().parseHex("2114c418638c2184104208218410420821444444444444444424090000")
    };

    private ZstdHandOver() {}

    /**
     * The dictionary, behind the first block. It cannot hold a table of one symbol, and has a predefined one in its
     * place: no block that follows may repeat such a table.
     */
    public static byte[] dictionary(ZstdPosition position) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(littleEndian(DICTIONARY_MAGIC, DICTIONARY_ID));
        out.writeBytes(position.tree() == null ? TWO_SYMBOLS : position.tree());
        for (int kind : ORDER) {
            ZstdTable table = position.tables()[kind];
            boolean described = table != null && table.mode() == ZstdTable.DESCRIBED;
            out.writeBytes(described ? table.description() : PREDEFINED[kind]);
        }
        out.writeBytes(littleEndian(position.repeats()));
        out.writeBytes(position.history());
        return out.toByteArray();
    }

    private static byte[] littleEndian(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        for (int value : values) {
            bytes.putInt(value);
        }
        return bytes.array();
    }

    /**
     * Header of a frame with this window, and without content size or checksum, for the blocks behind a position. It
     * asks for the dictionary unless the frame begins there.
     */
    public static byte[] header(ZstdPosition position, long windowBytes) {
        int windowLog = Math.max(MIN_WINDOW_LOG, Long.SIZE - Long.numberOfLeadingZeros(windowBytes - 1));
        return ByteBuffer.allocate(LEAST_HEADER_BYTES + (position.isBegin() ? 1 : 2))
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .put((byte) (position.isBegin() ? 0 : HAS_ID_OF_ONE_BYTE))
                .put((byte) (windowLog - MIN_WINDOW_LOG << 3))
                .put(position.isBegin() ? new byte[0] : new byte[] {DICTIONARY_ID})
                .array();
    }
}
