package io.warpcodec.forge;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Builds one gzip member field by field (RFC 1952), right unless told otherwise. */
public final class GzipForge {
    public static final int FTEXT = 1;
    static final int FHCRC = 2;
    static final int FEXTRA = 4;
    static final int FNAME = 8;
    static final int FCOMMENT = 16;

    private static final int BGZF_RAW_BYTES = 65_280;

    private final byte[] content;
    private int id1 = 0x1f;
    private int id2 = 0x8b;
    private int method = 8;
    private int flags;
    private int deflateLevel = 6;
    private byte[] extra = {};
    private int extraLength = -1;
    private String name = "";
    private String comment = "";
    private int headerCrcFlip;
    private byte[] body;
    private long crc;
    private long contentBytes;

    private GzipForge(byte[] content) {
        this.content = content;
        CRC32 sum = new CRC32();
        sum.update(content);
        crc = sum.getValue();
        contentBytes = content.length;
    }

    public static GzipForge member(byte[] content) {
        return new GzipForge(content);
    }

    public GzipForge magic(int first, int second) {
        id1 = first;
        id2 = second;
        return this;
    }

    public GzipForge method(int value) {
        method = value;
        return this;
    }

    public GzipForge flags(int bits) {
        flags |= bits;
        return this;
    }

    public GzipForge extra(byte[] field) {
        extra = field;
        return flags(FEXTRA);
    }

    public GzipForge extraLength(int lie) {
        extraLength = lie;
        return this;
    }

    public GzipForge name(String value) {
        name = value;
        return flags(FNAME);
    }

    public GzipForge comment(String value) {
        comment = value;
        return flags(FCOMMENT);
    }

    public GzipForge headerCrc(int flip) {
        headerCrcFlip = flip;
        return flags(FHCRC);
    }

    /** Raw DEFLATE bytes instead of the content's. */
    public GzipForge body(byte... deflate) {
        body = deflate;
        return this;
    }

    public GzipForge level(int value) {
        deflateLevel = value;
        return this;
    }

    public GzipForge crc(long value) {
        crc = value;
        return this;
    }

    public GzipForge contentBytes(long value) {
        contentBytes = value;
        return this;
    }

    public byte[] build() {
        Bytes header =
                new Bytes().u8(id1).u8(id2).u8(method).u8(flags).le32(0).u8(0).u8(255);
        if ((flags & FEXTRA) != 0) {
            header.le16(extraLength < 0 ? extra.length : extraLength).put(extra);
        }
        if ((flags & FNAME) != 0) {
            header.ascii(name).u8(0);
        }
        if ((flags & FCOMMENT) != 0) {
            header.ascii(comment).u8(0);
        }
        if ((flags & FHCRC) != 0) {
            CRC32 sum = new CRC32();
            sum.update(header.toArray());
            header.le16((int) sum.getValue() ^ headerCrcFlip);
        }
        return header.put(body == null ? deflate(content, deflateLevel) : body)
                .le32(crc)
                .le32(contentBytes)
                .toArray();
    }

    /** A BGZF file (SAM specification §4.1): members of at most {@code rawBytes} and the empty one at the end. */
    public static byte[] bgzf(byte[] content, int rawBytes, int level) {
        Bytes file = new Bytes();
        int step = Math.min(rawBytes, BGZF_RAW_BYTES);
        for (int from = 0; from < content.length; from += step) {
            file.put(bgzfMember(Arrays.copyOfRange(content, from, Math.min(content.length, from + step)), level));
        }
        return file.put(bgzfMember(new byte[0], 6)).toArray();
    }

    public static byte[] bgzfMember(byte[] content, int level) {
        byte[] draft = member(content).level(level).extra(bgzfField(0)).build();
        return member(content).level(level).extra(bgzfField(draft.length - 1)).build();
    }

    private static byte[] bgzfField(int sizeMinusOne) {
        return new Bytes().ascii("BC").le16(2).le16(sizeMinusOne).toArray();
    }

    public static byte[] deflate(byte[] content, int level) {
        Deflater deflater = new Deflater(level, true);
        try {
            deflater.setInput(content);
            deflater.finish();
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[8192];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return out.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
