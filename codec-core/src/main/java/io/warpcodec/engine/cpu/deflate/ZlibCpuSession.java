package io.warpcodec.engine.cpu.deflate;

import static io.warpcodec.format.zlib.ZlibFormat.HEADER_BYTES;
import static io.warpcodec.format.zlib.ZlibFormat.TRAILER_BYTES;

import io.warpcodec.Format;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.format.zlib.ZlibFormat;
import java.util.zip.Adler32;
import java.util.zip.DataFormatException;

/** Decodes one zlib stream (RFC 1950): two header bytes, the body, the Adler-32 of what came out. */
final class ZlibCpuSession extends DeflateSession {
    /** Big-endian number being gathered, and how many of its bytes are there. */
    private int number;

    private int numberBytes;

    /** @param segments decodes what it can of the body; null if this session decodes all by itself */
    ZlibCpuSession(SegmentDecoder segments) {
        super(Format.ZLIB, "zlib stream", new Adler32(), segments);
        reset(0);
    }

    @Override
    boolean takesSegmentsCrc() {
        return false;
    }

    @Override
    void restart() {
        number = 0;
        numberBytes = 0;
    }

    private boolean gather(int value, int bytes) {
        number = number << 8 | value;
        return ++numberBytes == bytes;
    }

    @Override
    boolean header(int value) throws DataFormatException {
        if (!gather(value, HEADER_BYTES)) {
            return false;
        }
        String defect = ZlibFormat.headerDefect(number >> 8, number & 0xff);
        if (defect != null) {
            throw new DataFormatException(defect);
        }
        restart();
        return true;
    }

    @Override
    boolean trailer(int value) throws DataFormatException {
        if (!gather(value, TRAILER_BYTES)) {
            return false;
        }
        if (number != (int) checksum()) {
            throw new DataFormatException("the Adler-32 is wrong");
        }
        return true;
    }

    @Override
    String trailerWord() {
        return "Adler-32";
    }
}
