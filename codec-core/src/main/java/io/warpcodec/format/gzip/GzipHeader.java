package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.format.Window;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/**
 * Reads the header of a gzip member as RFC 1952 §2.3 lays it out, byte by byte, and says what is wrong with it.
 * Header fields of any length pass through without being stored; the header's CRC16 is verified where it is present.
 * Not thread-safe.
 */
public final class GzipHeader {
    /** Fields of the header, in the order of the wire. */
    private enum Field {
        FIXED,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_CRC,
        NONE_LEFT
    }

    private static final int MAGIC = ID1 | ID2 << Byte.SIZE;
    private static final String WRONG_MAGIC = "it does not start with 1f 8b";

    private final CRC32 crc = new CRC32();
    private Field field = Field.FIXED;
    private int flags;
    private int extraBytes;
    /** Little-endian number being gathered, and how many bytes of the field have been taken. */
    private int number;

    private int takenBytes;

    /** Forgets what it has taken. */
    public void reset() {
        crc.reset();
        flags = 0;
        extraBytes = 0;
        enter(Field.FIXED);
    }

    private void enter(Field next) {
        field = next;
        number = 0;
        takenBytes = 0;
    }

    /**
     * Takes the next byte.
     *
     * @return whether it was the last one
     * @throws DataFormatException with what is wrong
     */
    public boolean take(int value) throws DataFormatException {
        if (field != Field.HEADER_CRC) {
            crc.update(value);
        }
        switch (field) {
            case FIXED -> fixed(value);
            case EXTRA_LENGTH -> {
                if (gather(value)) {
                    extraBytes = number;
                    enter(extraBytes > 0 ? Field.EXTRA : afterExtra());
                }
            }
            case EXTRA -> {
                if (++takenBytes == extraBytes) {
                    enter(afterExtra());
                }
            }
            case NAME -> {
                if (value == 0) {
                    enter(afterName());
                }
            }
            case COMMENT -> {
                if (value == 0) {
                    enter(afterComment());
                }
            }
            case HEADER_CRC -> {
                if (gather(value)) {
                    if (number != (crc.getValue() & 0xffff)) {
                        throw new DataFormatException("the header's CRC16 is wrong");
                    }
                    enter(Field.NONE_LEFT);
                }
            }
            default -> throw new IllegalStateException(field.name());
        }
        return field == Field.NONE_LEFT;
    }

    private void fixed(int value) throws DataFormatException {
        int index = takenBytes++;
        if (index == 0 && value != ID1 || index == 1 && value != ID2) {
            throw new DataFormatException(WRONG_MAGIC);
        }
        if (index == 2 && value != CM_DEFLATE) {
            throw new DataFormatException("the compression method is " + value + ", not 8");
        }
        if (index == FLG_AT) {
            if ((value & FLG_RESERVED) != 0) {
                throw new DataFormatException("reserved header flags are set");
            }
            flags = value;
        }
        if (takenBytes == HEADER_BYTES) {
            enter((flags & FEXTRA) != 0 ? Field.EXTRA_LENGTH : afterExtra());
        }
    }

    /** Takes a byte of a number of two; whether it was the second one. */
    private boolean gather(int value) {
        number |= value << Byte.SIZE * takenBytes;
        return ++takenBytes == Short.BYTES;
    }

    private Field afterExtra() {
        return (flags & FNAME) != 0 ? Field.NAME : afterName();
    }

    private Field afterName() {
        return (flags & FCOMMENT) != 0 ? Field.COMMENT : afterComment();
    }

    private Field afterComment() {
        return (flags & FHCRC) != 0 ? Field.HEADER_CRC : Field.NONE_LEFT;
    }

    /** Whether there is an extra field. */
    public boolean hasExtra() {
        return (flags & FEXTRA) != 0;
    }

    /** Whether FEXTRA is the only flag. */
    public boolean hasOnlyExtra() {
        return flags == FEXTRA;
    }

    /** Length of the extra field; 0 if there is none. */
    public int extraBytes() {
        return extraBytes;
    }

    /**
     * Reads the start of the header at an index of the window: to the length of the extra field, or to the end if
     * there is none.
     *
     * @param window at least {@link GzipFormat#SUBFIELD_AT} bytes from the index on can be seen
     * @return null if something is wrong with it so far
     */
    public static GzipHeader startAt(Window window, int index) {
        GzipHeader header = new GzipHeader();
        try {
            for (int at = 0; at < HEADER_BYTES || header.hasExtra() && at < SUBFIELD_AT; at++) {
                header.take(window.u8(index + at));
            }
            return header;
        } catch (DataFormatException defect) {
            return null;
        }
    }

    /**
     * Whether the bytes that every member begins with are at the front of a little-endian number.
     *
     * @param word the next bytes
     * @param bytes how many of them there are; with fewer than two the others do not count
     */
    public static boolean mayStartWith(int word, int bytes) {
        int mask = bytes >= Short.BYTES ? 0xffff : (1 << Byte.SIZE * bytes) - 1;
        return ((word ^ MAGIC) & mask) == 0;
    }

    /** The error of a stream without a byte, where that is one. */
    public static TruncatedDataException noMemberAtAll(long offset) {
        return new TruncatedDataException(Format.GZIP, offset, "no gzip member at all");
    }

    /**
     * The error of a stream in which something else stands where a member may begin.
     *
     * @param offset where
     * @param anyMember whether there is a member before it
     */
    public static CorruptDataException noMember(long offset, boolean anyMember) {
        return new CorruptDataException(
                Format.GZIP, offset, anyMember ? "bytes after the last member" : "not a gzip member: " + WRONG_MAGIC);
    }
}
