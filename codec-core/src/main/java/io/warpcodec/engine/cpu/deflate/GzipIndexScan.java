package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.engine.gzip.SeekPointVisitor;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.format.checksum.Crc32Combine;
import io.warpcodec.format.gzip.GzipFormat;
import io.warpcodec.format.gzip.GzipHeader;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.format.gzip.GzipTrailer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/**
 * Decodes a gzip file and reports where its members and DEFLATE blocks begin, which the JDK's Inflater does not tell.
 * Follows RFC 1951 and 1952 as they stand, and makes the bytes: a reader that begins at a block needs the 32 KiB
 * before it. Each member's CRC-32 and ISIZE say whether the bytes are right.
 *
 * <p>A {@link SegmentDecoder}, if there is one, decodes blocks until it goes no further. They are reported where its
 * segments end; it must end segments where blocks end. The block that it does not take is decoded here. Behind that
 * block it is asked again, unless it has taken next to nothing several times in a row.
 *
 * <p>Memory: 256 KiB in, 288 KiB out, whatever the file; for segments more ({@link BitInput}). One object per file,
 * not thread-safe.
 */
public final class GzipIndexScan {
    /**
     * Segments that take less than this before they stop took next to nothing: members are short, or blocks are not
     * for them.
     */
    private static final long LEAST_SEGMENTED_BYTES = 1 << 20;
    /** So often in a row, then they are not asked any more. */
    private static final int MOST_IDLE_ATTEMPTS = 3;

    private final SeekPointVisitor visitor;
    /** Null once they are not asked any more. */
    private SegmentDecoder segments;

    private final BitInput in;
    /**
     * Its CRC-32 is of the member's bytes behind the last segment; what was before is in {@link #segmentedBytes} and
     * {@link #segmentedCrc}.
     */
    private final DecodedWindow out = new DecodedWindow();

    private final DeflateBlockDecoder blocks;
    private final GzipHeader header = new GzipHeader();

    private int idleAttempts;
    private long segmentedBytes;
    private int segmentedCrc;
    private long memberOffset;
    private int crcBeforeMember;

    private GzipIndexScan(InputStream source, SeekPointVisitor visitor, SegmentDecoder segments) {
        this.visitor = visitor;
        this.segments = segments;
        this.in = new BitInput(source, segments == null ? 0 : segments.usefulInputBytes());
        this.blocks = new DeflateBlockDecoder(in, out);
    }

    /**
     * Decodes a whole file. Every block that is decoded here is reported but those at the same raw offset as their
     * member's start. Where segments were asked and an empty block follows, the block behind that need not be either:
     * its raw offset has been.
     *
     * @param segments decodes what it can; null for no help
     * @return where the last member ended
     * @throws io.warpcodec.CorruptDataException if it is no gzip file, or a bad one
     */
    public static GzipSeekPoint scan(InputStream gzip, SeekPointVisitor visitor, SegmentDecoder segments)
            throws IOException {
        return new GzipIndexScan(gzip, visitor, segments).scanMembers();
    }

    private GzipSeekPoint scanMembers() throws IOException {
        GzipSeekPoint end;
        do {
            memberOffset = in.byteOffset();
            out.beginMember();
            segmentedBytes = 0;
            visitor.visit(new GzipSeekPoint(in.bitOffset(), out.rawOffset(), crcBeforeMember, 0, 0), () -> new byte[0]);
            header();
            body();
            trailer();
            end = here(in.bitOffset());
            crcBeforeMember = end.rawCrc();
        } while (memberFollows());
        return end;
    }

    private void header() throws IOException {
        if (!in.has(Byte.SIZE)) {
            throw GzipHeader.noMemberAtAll(memberOffset);
        }
        int seenBytes = in.has(Short.SIZE) ? Short.BYTES : 1;
        if (!GzipHeader.mayStartWith(in.peek(), seenBytes)) {
            throw GzipHeader.noMember(memberOffset, memberOffset > 0);
        }
        in.enter("header");
        header.reset();
        try {
            while (!header.take(in.take(Byte.SIZE))) {
                // byte by byte
            }
        } catch (DataFormatException defect) {
            throw corruptMember(defect.getMessage());
        }
    }

    private void body() throws IOException {
        in.enter("DEFLATE data");
        boolean last = segments();
        while (!last) {
            last = block();
            if (!last) {
                if (out.memberBytes() > segmentedBytes) {
                    reportBlock();
                }
                last = segments();
            }
        }
    }

    private boolean block() throws IOException {
        try {
            return blocks.decode();
        } catch (DataFormatException bad) {
            throw new CorruptDataException(
                    Format.GZIP, in.byteOffset(), "the DEFLATE data is invalid: " + bad.getMessage());
        }
    }

    private void trailer() throws IOException {
        in.enter("trailer");
        in.toByte();
        long bytes = 0;
        for (int i = 0; i < GzipFormat.TRAILER_BYTES; i++) {
            bytes |= (long) in.take(Byte.SIZE) << Byte.SIZE * i;
        }
        String defect = GzipTrailer.of(bytes).defect(memberCrc(), out.memberBytes());
        if (defect != null) {
            throw corruptMember(defect);
        }
    }

    /** Whether another member follows; anything else but zeros to the end is an error. */
    private boolean memberFollows() throws IOException {
        boolean padded = false;
        while (in.has(Byte.SIZE)) {
            if ((in.peek() & 0xff) != 0) {
                if (padded) {
                    throw GzipHeader.noMember(in.byteOffset(), true);
                }
                return true;
            }
            padded = true;
            in.skip(Byte.SIZE);
        }
        return false;
    }

    private void reportBlock() throws IOException {
        GzipSeekPoint point = here(in.bitOffset());
        visitor.visit(point, () -> out.last(point.windowBytes()));
    }

    /** This place. */
    private GzipSeekPoint here(long bitOffset) {
        long memberRawBytes = out.memberBytes();
        int crc = memberCrc();
        // one multiplication less where there is only one member
        int rawCrc =
                memberRawBytes == out.rawOffset() ? crc : Crc32Combine.combine(crcBeforeMember, crc, memberRawBytes);
        return new GzipSeekPoint(bitOffset, out.rawOffset(), rawCrc, memberRawBytes, crc);
    }

    private int memberCrc() {
        int crc = out.crc32();
        return segmentedBytes == 0 ? crc : Crc32Combine.combine(segmentedCrc, crc, out.memberBytes() - segmentedBytes);
    }

    /**
     * Has the segment decoder decode the blocks from this place on, until it goes no further, and goes on behind
     * them.
     *
     * @return whether the member's last block was among them
     */
    private boolean segments() throws IOException {
        // the bytes looked ahead at are given back, if they have not left the buffer; else behind the next block
        int bit = segments == null ? -1 : in.rewind();
        if (bit < 0) {
            return false;
        }
        in.gather();
        long bytesBefore = out.memberBytes();
        if (bytesBefore > 0 && in.ahead().remaining() < segments.leastInputBytes()) {
            in.take(bit);
            return false;
        }
        int crcBefore = memberCrc();
        out.resetCrc();
        segmentedBytes = bytesBefore;
        segmentedCrc = crcBefore;
        long begin = in.byteOffset();
        segments.resume(bit, out.last((int) Math.min(bytesBefore, GzipSeekPoint.MAX_WINDOW_BYTES)));
        while (!segments.position().ended() && advanceSegments()) {
            StreamPosition position = segments.position();
            segmentedBytes = bytesBefore + position.rawBytes();
            segmentedCrc = Crc32Combine.combine(crcBefore, position.crc32(), position.rawBytes());
            out.goOnBehind(position.window(), segmentedBytes);
            if (!position.ended() && segmentedBytes > 0) {
                visitor.visit(here(in.bitOffset() + position.bit()), position::window);
            }
        }
        boolean ended = segments.position().ended();
        if (!ended) {
            in.take(segments.position().bit());
        }
        idleAttempts = in.byteOffset() - begin < LEAST_SEGMENTED_BYTES ? idleAttempts + 1 : 0;
        if (idleAttempts == MOST_IDLE_ATTEMPTS) {
            segments = null;
        }
        return ended;
    }

    private boolean advanceSegments() throws IOException {
        in.gather();
        ByteBuffer ahead = in.ahead();
        boolean advanced = segments.advance(ahead);
        in.passed(ahead);
        return advanced;
    }

    private CorruptDataException corruptMember(String reason) {
        return new CorruptDataException(Format.GZIP, memberOffset, "in the member that starts here, " + reason);
    }
}
