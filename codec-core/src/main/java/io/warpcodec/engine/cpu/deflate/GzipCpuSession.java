package io.warpcodec.engine.cpu.deflate;

import static io.warpcodec.format.gzip.GzipFormat.TRAILER_BYTES;

import io.warpcodec.Format;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.format.checksum.Crc32Combine;
import io.warpcodec.format.gzip.GzipHeader;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.format.gzip.GzipTrailer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/**
 * Decodes one gzip member: its {@link GzipHeader}, its body, its {@link GzipTrailer}, which is checked against what
 * came out.
 */
public final class GzipCpuSession extends DeflateSession {
    private final GzipHeader header = new GzipHeader();
    /** Little-endian bytes of the trailer, and how many of them are there. */
    private long trailer;

    private int trailerBytes;
    /** Where this session began in its member. */
    private GzipSeekPoint from = GzipSeekPoint.START;

    /** @param segments decodes what it can of the body; null if this session decodes all by itself */
    public GzipCpuSession(SegmentDecoder segments) {
        super(Format.GZIP, "member", new CRC32(), segments);
        reset(0);
    }

    /**
     * Forgets everything and goes on in the middle of a member. The next byte of input is the byte that the point
     * lies in. The trailer is checked with what the point knows of the bytes before it.
     *
     * @param window the {@link GzipSeekPoint#windowBytes} raw bytes before the point
     */
    public void resume(GzipSeekPoint point, byte[] window) {
        resume(point.byteOffset(), point.bit(), window, point.memberRawBytes());
        from = point;
    }

    @Override
    void restart() {
        header.reset();
        trailer = 0;
        trailerBytes = 0;
        from = GzipSeekPoint.START;
    }

    @Override
    boolean header(int value) throws DataFormatException {
        return header.take(value);
    }

    @Override
    boolean trailer(int value) throws DataFormatException {
        trailer |= (long) value << Byte.SIZE * trailerBytes;
        if (++trailerBytes < TRAILER_BYTES) {
            return false;
        }
        String defect = GzipTrailer.of(trailer).defect(memberCrc(), rawBytes());
        if (defect != null) {
            throw new DataFormatException(defect);
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
            StreamPosition position = segments().position();
            crc = Crc32Combine.combine(position.crc32(), crc, sessionBytes - position.rawBytes());
        }
        return from == GzipSeekPoint.START ? crc : Crc32Combine.combine(from.memberCrc(), crc, sessionBytes);
    }

    @Override
    String trailerWord() {
        return "trailer";
    }
}
