package io.warpcodec.engine.cpu.deflate;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.Format;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.format.checksum.Crc32Combine;
import io.warpcodec.format.gzip.GzipSeekPoint;
import java.io.IOException;
import java.util.zip.CRC32;

/**
 * Decodes one gzip member: header byte by byte as RFC 1952 §2.3 lays it out, body, trailer checked against what came out.
 * Header fields of any length pass through without being stored; the header's CRC16 is verified where it is present.
 */
public final class GzipCpuSession extends DeflateSession {
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

    private final CRC32 headerCrc = new CRC32();
    private Field field;
    private int flags;
    /** Little-endian number being gathered, and how many of its bytes are there. */
    private long number;

    private int numberBytes;
    private int extraLeft;
    /** Where this session began in its member. */
    private GzipSeekPoint from = GzipSeekPoint.START;

    /** @param segments decodes what it can of the body; null if this session decodes all by itself */
    public GzipCpuSession(SegmentDecoder segments) {
        super(Format.GZIP, "member", new CRC32(), segments);
        reset(0);
    }

    /**
     * Forgets everything and goes on in the middle of a member; the next byte of input is the one that the point lies in. The trailer is
     * checked with what the point knows of the bytes before it.
     *
     * @param window the {@link GzipSeekPoint#windowBytes} raw bytes before the point
     */
    public void resume(GzipSeekPoint point, byte[] window) {
        resume(point.byteOffset(), point.bit(), window, point.memberRawBytes());
        from = point;
    }

    @Override
    void restart() {
        headerCrc.reset();
        flags = 0;
        from = GzipSeekPoint.START;
        enter(Field.FIXED);
    }

    private void enter(Field next) {
        field = next;
        number = 0;
        numberBytes = 0;
    }

    @Override
    boolean header(int value) throws IOException {
        if (field != Field.HEADER_CRC) {
            headerCrc.update(value);
        }
        switch (field) {
            case FIXED -> fixed(value);
            case EXTRA_LENGTH -> {
                if (gather(value, 2)) {
                    extraLeft = (int) number;
                    enter(extraLeft > 0 ? Field.EXTRA : afterExtra());
                }
            }
            case EXTRA -> {
                if (--extraLeft == 0) {
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
                if (gather(value, 2)) {
                    if (number != (headerCrc.getValue() & 0xffff)) {
                        throw corrupt("the header's CRC16 is wrong");
                    }
                    enter(Field.NONE_LEFT);
                }
            }
            default -> throw new IllegalStateException(field.name());
        }
        return field == Field.NONE_LEFT;
    }

    private void fixed(int value) throws IOException {
        int index = numberBytes++;
        if (index == 0 && value != ID1 || index == 1 && value != ID2) {
            throw corrupt("the magic is not 1f 8b");
        }
        if (index == 2 && value != CM_DEFLATE) {
            throw corrupt("the compression method is " + value + ", not 8");
        }
        if (index == 3) {
            if ((value & FLG_RESERVED) != 0) {
                throw corrupt("reserved header flags are set");
            }
            flags = value;
        }
        if (numberBytes == HEADER_BYTES) {
            enter((flags & FEXTRA) != 0 ? Field.EXTRA_LENGTH : afterExtra());
        }
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

    @Override
    boolean trailer(int value) throws IOException {
        if (!gather(value, TRAILER_BYTES)) {
            return false;
        }
        if ((int) number != memberCrc()) {
            throw corrupt("the CRC32 is wrong");
        }
        if (number >>> 32 != (rawBytes() & 0xffff_ffffL)) {
            throw corrupt("ISIZE is wrong");
        }
        return true;
    }

    @Override
    boolean takesSegmentsCrc() {
        return true;
    }

    private int memberCrc() {
        long sessionBytes = rawBytes() - from.memberRawBytes();
        int crc = (int) checksum();
        if (segments() != null) {
            crc = Crc32Combine.combine(
                    segments().crc32(), crc, sessionBytes - segments().rawBytes());
        }
        return from == GzipSeekPoint.START ? crc : Crc32Combine.combine(from.memberCrc(), crc, sessionBytes);
    }

    private boolean gather(int value, int bytes) {
        number |= (long) value << 8 * numberBytes;
        return ++numberBytes == bytes;
    }

    @Override
    String trailerWord() {
        return "trailer";
    }
}
