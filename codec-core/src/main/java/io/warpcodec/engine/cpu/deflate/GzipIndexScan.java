package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.engine.gzip.SeekPointVisitor;
import io.warpcodec.engine.gzip.SegmentDecoder;
import io.warpcodec.format.checksum.Crc32Combine;
import io.warpcodec.format.gzip.GzipHeader;
import io.warpcodec.format.gzip.GzipSeekPoint;
import io.warpcodec.format.gzip.GzipTrailer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;

/**
 * Decodes a gzip file and reports where its members and DEFLATE blocks begin, which the JDK's Inflater does not tell. RFC 1951 and 1952 as they
 * stand, with the bytes, because a reader that begins at a block needs the 32 KiB before it; each member's CRC-32 and ISIZE say whether they are right.
 *
 * <p>With a {@link SegmentDecoder}, blocks are its as far as it goes, and reported where its segments end; it must end them where blocks do. The block that it
 * does not take is decoded here, and behind it it is asked again, unless it has taken next to nothing several times in a row.
 *
 * <p>Memory: 256 KiB in, 288 KiB out, whatever the file; for segments twice as much input as they find useful, so that it is seldom moved to the
 * front. One object per file, not thread-safe.
 */
public final class GzipIndexScan {
    private static final int STORED = 0;
    private static final int FIXED = 1;
    private static final int DYNAMIC = 2;
    private static final int END_OF_BLOCK = 256;
    private static final int MAX_LITERALS = 286;
    private static final int MAX_DISTANCES = 30;
    private static final int MAX_MATCH_BYTES = 258;
    private static final int WINDOW_BYTES = GzipSeekPoint.MAX_WINDOW_BYTES;
    private static final int[] PRECODE_ORDER = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    private static final int[] LENGTH_BASE = {
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258
    };
    private static final int[] LENGTH_EXTRA = {
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0
    };
    private static final int[] DISTANCE_BASE = {
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577
    };
    private static final PrefixCode FIXED_LITERALS = PrefixCode.fixedLiterals();
    private static final PrefixCode FIXED_DISTANCES = PrefixCode.fixedDistances();

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int INPUT_BYTES = 256 << 10;
    /** Segments that take less than this before they stop took next to nothing: members are short, or blocks are not for them. */
    private static final long LEAST_SEGMENTED_BYTES = 1 << 20;
    /** So often in a row, then they are not asked any more. */
    private static final int MOST_IDLE_ATTEMPTS = 3;

    private final InputStream source;
    private final SeekPointVisitor visitor;
    /** Null once they are not asked any more. */
    private SegmentDecoder segments;

    private final int gatheredBytes;
    private final byte[] input;
    private int inputAt;
    private int inputLimit;
    private long inputOffset;
    private long bits;
    private int bitCount;

    private final byte[] output = new byte[WINDOW_BYTES + (256 << 10)];
    private int outputAt;
    private int checksummed;
    private long outputOffset;
    /** Of the member's bytes behind the last segment, which were decoded here; what was before is in the two below. */
    private final CRC32 memberCrc = new CRC32();

    private int idleAttempts;
    private long segmentedBytes;
    private int segmentedCrc;
    private final GzipHeader header = new GzipHeader();
    /** What of the member the next bits belong to. */
    private String part;

    private long memberOffset;
    private long memberStart;
    private int crcBeforeMember;

    private GzipIndexScan(InputStream source, SeekPointVisitor visitor, SegmentDecoder segments) {
        this.source = source;
        this.visitor = visitor;
        this.segments = segments;
        this.gatheredBytes = segments == null ? 0 : segments.usefulInputBytes();
        this.input = new byte[INPUT_BYTES + 2 * gatheredBytes];
    }

    /**
     * Decodes a whole file. Every block that is decoded here is reported but those at the same raw offset as their member's start. Where segments were
     * asked and an empty block follows, the block behind that need not be either: its raw offset has been.
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
            memberOffset = bitOffset() >>> 3;
            memberStart = rawOffset();
            segmentedBytes = 0;
            visitor.visit(new GzipSeekPoint(bitOffset(), memberStart, crcBeforeMember, 0, 0), () -> new byte[0]);
            header();
            boolean last = segments();
            while (!last) {
                last = bits(1) != 0;
                block(bits(2));
                if (!last) {
                    if (rawOffset() > memberStart + segmentedBytes) {
                        reportBlock();
                    }
                    last = segments();
                }
            }
            checksum();
            trailer();
            end = here(bitOffset());
            crcBeforeMember = end.rawCrc();
        } while (memberFollows());
        return end;
    }

    private void reportBlock() throws IOException {
        checksum();
        GzipSeekPoint point = here(bitOffset());
        visitor.visit(point, () -> Arrays.copyOfRange(output, outputAt - point.windowBytes(), outputAt));
    }

    /** This place, when all output has been checksummed. */
    private GzipSeekPoint here(long bitOffset) {
        long memberRawBytes = rawOffset() - memberStart;
        int crc = memberCrc();
        // one multiplication less where there is only one member
        int rawCrc = memberStart == 0 ? crc : Crc32Combine.combine(crcBeforeMember, crc, memberRawBytes);
        return new GzipSeekPoint(bitOffset, rawOffset(), rawCrc, memberRawBytes, crc);
    }

    private int memberCrc() {
        int crc = (int) memberCrc.getValue();
        return segmentedBytes == 0
                ? crc
                : Crc32Combine.combine(segmentedCrc, crc, rawOffset() - memberStart - segmentedBytes);
    }

    /**
     * Has the blocks from this place on decoded by others, as far as they do, and goes on behind them.
     *
     * @return whether the member's last block was among them
     */
    private boolean segments() throws IOException {
        int aheadBytes = (bitCount + Byte.SIZE - 1) / Byte.SIZE;
        // those looked ahead at are given back, if they have not left the buffer; else behind the next block
        if (segments == null || inputAt < aheadBytes) {
            return false;
        }
        int bit = aheadBytes * Byte.SIZE - bitCount;
        inputAt -= aheadBytes;
        bits = 0;
        bitCount = 0;
        gather();
        long bytesBefore = rawOffset() - memberStart;
        if (bytesBefore > 0 && inputLimit - inputAt < segments.leastInputBytes()) {
            bits(bit);
            return false;
        }
        checksum();
        int crcBefore = memberCrc();
        memberCrc.reset();
        segmentedBytes = bytesBefore;
        segmentedCrc = crcBefore;
        long begin = inputOffset + inputAt;
        segments.resume(
                bit, Arrays.copyOfRange(output, outputAt - (int) Math.min(bytesBefore, WINDOW_BYTES), outputAt));
        while (!segments.ended() && advanceSegments()) {
            segmentedBytes = bytesBefore + segments.rawBytes();
            segmentedCrc = Crc32Combine.combine(crcBefore, segments.crc32(), segments.rawBytes());
            outputAt = segments.window().length;
            System.arraycopy(segments.window(), 0, output, 0, outputAt);
            checksummed = outputAt;
            outputOffset = memberStart + segmentedBytes - outputAt;
            if (!segments.ended() && segmentedBytes > 0) {
                visitor.visit(here(bitOffset() + segments.bit()), segments::window);
            }
        }
        boolean ended = segments.ended();
        if (!ended) {
            bits(segments.bit());
        }
        idleAttempts = inputOffset + inputAt - begin < LEAST_SEGMENTED_BYTES ? idleAttempts + 1 : 0;
        if (idleAttempts == MOST_IDLE_ATTEMPTS) {
            segments = null;
        }
        return ended;
    }

    private boolean advanceSegments() throws IOException {
        gather();
        ByteBuffer ahead = ByteBuffer.wrap(input, inputAt, inputLimit - inputAt);
        boolean advanced = segments.advance(ahead);
        inputAt = ahead.position();
        return advanced;
    }

    /** Has as much input at hand as segments find useful, or all there is; no more, for a device is at work meanwhile, and would have to wait. */
    private void gather() throws IOException {
        if (inputLimit - inputAt >= gatheredBytes) {
            return;
        }
        if (inputAt + gatheredBytes > input.length) {
            System.arraycopy(input, inputAt, input, 0, inputLimit - inputAt);
            inputOffset += inputAt;
            inputLimit -= inputAt;
            inputAt = 0;
        }
        int count = 0;
        for (; inputLimit < inputAt + gatheredBytes && count >= 0; inputLimit += Math.max(0, count)) {
            count = source.read(input, inputLimit, inputAt + gatheredBytes - inputLimit);
        }
    }

    private void header() throws IOException {
        if (!has(8)) {
            throw GzipHeader.noMemberAtAll(memberOffset);
        }
        int seenBytes = has(16) ? 2 : 1;
        if (!GzipHeader.mayStartWith((int) bits, seenBytes)) {
            throw GzipHeader.noMember(memberOffset, memberOffset > 0);
        }
        part = "header";
        header.reset();
        try {
            while (!header.take(bits(8))) {
                // byte by byte
            }
        } catch (DataFormatException defect) {
            throw corruptMember(defect.getMessage());
        }
        memberCrc.reset();
        part = "DEFLATE data";
    }

    private void trailer() throws IOException {
        part = "trailer";
        bits(bitCount & 7);
        long word = bits(32) & 0xffff_ffffL | (long) bits(32) << 32;
        String defect = GzipTrailer.of(word).defect(memberCrc(), rawOffset() - memberStart);
        if (defect != null) {
            throw corruptMember(defect);
        }
    }

    /** Whether another member follows; anything else but zeros to the end is an error. */
    private boolean memberFollows() throws IOException {
        boolean padded = false;
        while (has(8)) {
            if ((bits & 0xff) != 0) {
                if (padded) {
                    throw GzipHeader.noMember(bitOffset() >>> 3, true);
                }
                return true;
            }
            padded = true;
            bits(8);
        }
        return false;
    }

    private void block(int type) throws IOException {
        switch (type) {
            case STORED -> stored();
            case FIXED -> tokens(FIXED_LITERALS, FIXED_DISTANCES);
            case DYNAMIC -> dynamic();
            default -> throw corrupt("the DEFLATE data is invalid: invalid block type");
        }
    }

    private void stored() throws IOException {
        bits(bitCount & 7);
        int left = bits(16);
        if (bits(16) != (left ^ 0xffff)) {
            throw corrupt("the DEFLATE data is invalid: invalid stored block lengths");
        }
        for (; left > 0 && bitCount > 0; left--) {
            makeRoom();
            output[outputAt++] = (byte) bits(8);
        }
        if (bitCount == 0) {
            bits = 0;
        }
        while (left > 0) {
            if (inputAt == inputLimit && !fill()) {
                throw truncated();
            }
            makeRoom();
            int count = Math.min(Math.min(left, inputLimit - inputAt), output.length - outputAt);
            System.arraycopy(input, inputAt, output, outputAt, count);
            inputAt += count;
            outputAt += count;
            left -= count;
        }
    }

    private void dynamic() throws IOException {
        int literalCount = bits(5) + 257;
        int distanceCount = bits(5) + 1;
        int precodeCount = bits(4) + 4;
        if (literalCount > MAX_LITERALS || distanceCount > MAX_DISTANCES) {
            throw corrupt("the DEFLATE data is invalid: too many length or distance symbols");
        }
        byte[] precodeLengths = new byte[PRECODE_ORDER.length];
        for (int i = 0; i < precodeCount; i++) {
            precodeLengths[PRECODE_ORDER[i]] = (byte) bits(3);
        }
        PrefixCode precode = code(precodeLengths, false);
        byte[] lengths = new byte[literalCount + distanceCount];
        for (int i = 0; i < lengths.length; ) {
            int symbol = symbol(precode);
            if (symbol < 16) {
                lengths[i++] = (byte) symbol;
                continue;
            }
            int times = symbol == 16 ? 3 + bits(2) : symbol == 17 ? 3 + bits(3) : 11 + bits(7);
            if (symbol == 16 && i == 0 || times > lengths.length - i) {
                throw corrupt("the DEFLATE data is invalid: invalid bit length repeat");
            }
            Arrays.fill(lengths, i, i + times, symbol == 16 ? lengths[i - 1] : 0);
            i += times;
        }
        if (lengths[END_OF_BLOCK] == 0) {
            throw corrupt("the DEFLATE data is invalid: missing end-of-block");
        }
        tokens(
                code(Arrays.copyOf(lengths, literalCount), true),
                code(Arrays.copyOfRange(lengths, literalCount, lengths.length), true));
    }

    private PrefixCode code(byte[] lengths, boolean mayBeSingle) throws IOException {
        PrefixCode code = PrefixCode.of(lengths, mayBeSingle);
        if (code == null) {
            throw corrupt("the DEFLATE data is invalid: invalid code lengths");
        }
        return code;
    }

    private void tokens(PrefixCode literals, PrefixCode distances) throws IOException {
        while (true) {
            makeRoom();
            int symbol = symbol(literals);
            if (symbol < END_OF_BLOCK) {
                output[outputAt++] = (byte) symbol;
                continue;
            }
            if (symbol == END_OF_BLOCK) {
                return;
            }
            int step = symbol - END_OF_BLOCK - 1;
            if (step >= LENGTH_BASE.length) {
                throw corrupt("the DEFLATE data is invalid: invalid literal/length code");
            }
            int length = LENGTH_BASE[step] + bits(LENGTH_EXTRA[step]);
            int distanceSymbol = symbol(distances);
            if (distanceSymbol >= MAX_DISTANCES) {
                throw corrupt("the DEFLATE data is invalid: invalid distance code");
            }
            int distance = DISTANCE_BASE[distanceSymbol] + bits(distanceSymbol < 2 ? 0 : (distanceSymbol >>> 1) - 1);
            copy(length, distance);
        }
    }

    private void copy(int length, int distance) throws IOException {
        if (distance > rawOffset() - memberStart) {
            throw corrupt("the DEFLATE data is invalid: invalid distance too far back");
        }
        if (distance >= length) {
            System.arraycopy(output, outputAt - distance, output, outputAt, length);
            outputAt += length;
            return;
        }
        for (int limit = outputAt + length; outputAt < limit; outputAt++) {
            output[outputAt] = output[outputAt - distance];
        }
    }

    private int symbol(PrefixCode code) throws IOException {
        // a code word may be shorter than what is asked for, at the end of a file
        boolean enough = has(PrefixCode.MAX_BITS);
        int entry = code.lookUp((int) bits);
        int length = entry & 15;
        if (length == 0) {
            throw corrupt("the DEFLATE data is invalid: invalid code");
        }
        if (!enough && length > bitCount) {
            throw truncated();
        }
        bits >>>= length;
        bitCount -= length;
        return entry >>> 4;
    }

    /** Sees to it that {@code count} bits, at most 32, can be looked at; those behind the end of the file are zero. */
    private boolean has(int count) throws IOException {
        if (bitCount >= count) {
            return true;
        }
        if (inputLimit - inputAt >= Long.BYTES) {
            // bits above those that are counted are the stream's next ones, and come again
            bits |= (long) LONGS.get(input, inputAt) << bitCount;
            int bytes = Long.SIZE - 1 - bitCount >>> 3;
            inputAt += bytes;
            bitCount += 8 * bytes;
            return true;
        }
        while (bitCount < count) {
            if (inputAt == inputLimit && !fill()) {
                return false;
            }
            bits |= (input[inputAt++] & 0xffL) << bitCount;
            bitCount += 8;
        }
        return true;
    }

    private int bits(int count) throws IOException {
        if (!has(count)) {
            throw truncated();
        }
        int value = (int) (bits & (1L << count) - 1);
        bits >>>= count;
        bitCount -= count;
        return value;
    }

    private boolean fill() throws IOException {
        inputOffset += inputLimit;
        inputAt = 0;
        inputLimit = Math.max(0, source.read(input, 0, input.length));
        return inputLimit > 0;
    }

    /** Room for a match; at least 32 KiB of what was there stay. */
    private void makeRoom() {
        if (outputAt > output.length - MAX_MATCH_BYTES) {
            checksum();
            int dropped = outputAt - WINDOW_BYTES;
            System.arraycopy(output, dropped, output, 0, WINDOW_BYTES);
            outputOffset += dropped;
            outputAt = WINDOW_BYTES;
            checksummed = WINDOW_BYTES;
        }
    }

    private void checksum() {
        memberCrc.update(output, checksummed, outputAt - checksummed);
        checksummed = outputAt;
    }

    private long bitOffset() {
        return 8 * (inputOffset + inputAt) - bitCount;
    }

    private long rawOffset() {
        return outputOffset + outputAt;
    }

    private CorruptDataException corrupt(String reason) {
        return new CorruptDataException(Format.GZIP, bitOffset() >>> 3, reason);
    }

    private CorruptDataException corruptMember(String reason) {
        return new CorruptDataException(Format.GZIP, memberOffset, "in the member that starts here, " + reason);
    }

    private EOFException truncated() {
        return new TruncatedDataException(
                Format.GZIP, inputOffset + inputLimit, "the stream ends inside a member's " + part);
    }
}
