package io.warpcodec.engine.gpu.deflate;

import io.warpcodec.device.lease.InputBytes;
import io.warpcodec.engine.gpu.segment.SegmentWork;
import io.warpcodec.engine.gzip.StreamPosition;
import io.warpcodec.format.checksum.Crc32Combine;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A segment of one DEFLATE stream in a wave. Its input: up to 32 KiB of bytes before the segment, the bits of the
 * open block's header if there is one, the segment; each at a multiple of 16 bytes. Its output: space for 32 KiB,
 * then what it decodes to. Filled by one thread, then handed over; the results are there when the lease is over. Not
 * thread-safe.
 */
final class SegmentJob implements SegmentWork {
    private static final int ALIGNMENT_BYTES = 16;
    /** So many input bytes count as a unit: fewer blocks than one for each two units are expected. */
    private static final int UNIT_BYTES = 2048;
    /** Units beyond those. */
    private static final int SPARE_UNITS = 32;

    private final int windowBytes;
    private final int headerAt;
    private final int headerBits;
    private final int segmentAt;
    private final int segmentBytes;
    private final int bit;
    private final int outputBytes;
    private final int mostRawBytes;
    private final boolean wholeBlocks;
    /** Where it begins; null if it came from another process. */
    private final StreamPosition before;

    /** Bytes of the lease's memory, which is there while a thread fills or reads the lease, or a device has it. */
    private InputBytes input;

    private SegmentChain chain;
    private int blocksRead;
    private int piecesRead;
    private boolean beingWritten;
    private int endBit;
    private int openHeaderBit;
    private int openHeaderBits;
    private int rawBytes;
    private boolean ended;
    private boolean sound;
    private int crc32;

    /**
     * @param before where it begins
     * @param segmentBytes compressed bytes
     * @param outputBytes space for output, that for 32 KiB included
     */
    SegmentJob(StreamPosition before, int segmentBytes, int outputBytes) {
        this(
                before,
                before.window().length,
                before.headerBits(),
                segmentBytes,
                before.bit(),
                outputBytes,
                outputBytes - SegmentChain.HISTORY_BYTES,
                false);
    }

    /** A segment that ends where a block does, and decodes to so many bytes at most. */
    static SegmentJob ofWholeBlocks(StreamPosition before, int segmentBytes, int outputBytes, int mostRawBytes) {
        return new SegmentJob(
                before, before.window().length, 0, segmentBytes, before.bit(), outputBytes, mostRawBytes, true);
    }

    /**
     * @param windowBytes bytes in front of the segment, at most 32 KiB
     * @param headerBits of the open block, or 0
     * @param bit of the first byte at which a block begins, or a token of the open one
     */
    private SegmentJob(
            StreamPosition before,
            int windowBytes,
            int headerBits,
            int segmentBytes,
            int bit,
            int outputBytes,
            int mostRawBytes,
            boolean wholeBlocks) {
        this.before = before;
        this.windowBytes = windowBytes;
        this.headerAt = headerBits == 0 ? -1 : aligned(windowBytes);
        this.headerBits = headerBits;
        this.segmentAt = aligned(windowBytes) + aligned(bytes(headerBits));
        this.segmentBytes = segmentBytes;
        this.bit = bit;
        this.outputBytes = outputBytes;
        this.mostRawBytes = mostRawBytes;
        this.wholeBlocks = wholeBlocks;
    }

    private static int bytes(int bits) {
        return (bits + Byte.SIZE - 1) / Byte.SIZE;
    }

    private static int aligned(int bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    @Override
    public int inputBytes() {
        return segmentAt + segmentBytes;
    }

    @Override
    public int outputBytes() {
        return outputBytes;
    }

    @Override
    public int headBytes() {
        return SegmentChain.HISTORY_BYTES;
    }

    @Override
    public int segmentBytes() {
        return segmentBytes;
    }

    int windowBytes() {
        return windowBytes;
    }

    /**
     * Most compressed bytes of a segment that is to fill so many bytes of output. A stream that compresses less gets
     * segments whose output is not filled.
     */
    static int mostSegmentBytes(int outputBytes) {
        return outputBytes / 2;
    }

    /** With what lies in front of such a segment. */
    static int mostInputBytes(int outputBytes) {
        return mostSegmentBytes(outputBytes)
                + aligned(SegmentChain.HISTORY_BYTES)
                + aligned(bytes(SegmentChain.MAX_HEADER_BITS));
    }

    /** Units of a job of so many input bytes. */
    static int units(long inputBytes) {
        return Math.toIntExact(inputBytes / UNIT_BYTES) + SPARE_UNITS;
    }

    @Override
    public int entryCount() {
        return units(inputBytes());
    }

    /** Most blocks of a job of so many units. */
    static int blockLimit(int entryCount) {
        return entryCount / 2;
    }

    /** Most pieces. */
    static int pieceLimit(int entryCount) {
        return 2 * entryCount;
    }

    /** Most runs. */
    static int runLimit(int entryCount) {
        return 4 * entryCount;
    }

    @Override
    public void fill(ByteBuffer target, ByteBuffer segment) {
        target.put(0, before.window(), 0, windowBytes);
        if (headerAt >= 0) {
            target.put(headerAt, before.header(), 0, bytes(headerBits));
        }
        target.put(segmentAt, segment, segment.position(), segmentBytes);
        input = InputBytes.of(target);
    }

    // ---- to and from another process

    private static final int ORDER_BYTES = 7 * Integer.BYTES;
    private static final int ANSWER_BYTES = 7 * Integer.BYTES;

    @Override
    public int orderBytes() {
        return ORDER_BYTES;
    }

    @Override
    public void putOrder(ByteBuffer message) {
        message.putInt(windowBytes).putInt(headerBits).putInt(segmentBytes).putInt(bit);
        message.putInt(outputBytes).putInt(mostRawBytes).putInt(wholeBlocks ? 1 : 0);
    }

    /** Reads an order; a {@link io.warpcodec.device.lease.JobReader}. */
    static SegmentJob read(ByteBuffer order, int inputBytes, int outputBytes, InputBytes input) {
        int windowBytes = order.getInt();
        int headerBits = order.getInt();
        int segmentBytes = order.getInt();
        int bit = order.getInt();
        int orderedBytes = order.getInt();
        int mostRawBytes = order.getInt();
        int wholeBlocks = order.getInt();
        require(!order.hasRemaining());
        require(windowBytes >= 0 && windowBytes <= SegmentChain.HISTORY_BYTES);
        require(headerBits >= 0 && headerBits <= SegmentChain.MAX_HEADER_BITS);
        require(orderedBytes == outputBytes && outputBytes > SegmentChain.HISTORY_BYTES);
        require(mostRawBytes >= 0 && mostRawBytes <= outputBytes - SegmentChain.HISTORY_BYTES);
        require(segmentBytes >= SegmentChain.MARGIN_BITS / Byte.SIZE && segmentBytes <= inputBytes);
        require(segmentBytes <= mostSegmentBytes(outputBytes) && bit >= 0 && bit < Byte.SIZE);
        SegmentJob job = new SegmentJob(
                null, windowBytes, headerBits, segmentBytes, bit, outputBytes, mostRawBytes, wholeBlocks != 0);
        require(job.inputBytes() == inputBytes);
        job.input = input;
        return job;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("a segment's order or answer");
        }
    }

    @Override
    public int answerBytes() {
        return ANSWER_BYTES;
    }

    @Override
    public void putAnswer(ByteBuffer message) {
        message.putInt(sound ? 1 : 0).putInt(endBit).putInt(openHeaderBit).putInt(openHeaderBits);
        message.putInt(rawBytes).putInt(ended ? 1 : 0).putInt(crc32);
    }

    @Override
    public void takeAnswer(ByteBuffer message) {
        boolean isSound = message.getInt() != 0;
        int toBit = message.getInt();
        int headerBit = message.getInt();
        int bits = message.getInt();
        int bytes = message.getInt();
        boolean isEnd = message.getInt() != 0;
        int crc = message.getInt();
        if (isSound) {
            require(toBit >= bit && toBit <= segmentBytes * Byte.SIZE);
            require(bits >= 0 && bits <= SegmentChain.MAX_HEADER_BITS);
            require(headerBit >= -1 && headerBit <= inputBytes() * Byte.SIZE - (headerBit < 0 ? 0 : bits));
            require(bytes >= 0 && bytes <= outputBytes - SegmentChain.HISTORY_BYTES);
        }
        sound = isSound;
        endBit = toBit;
        openHeaderBit = headerBit;
        openHeaderBits = bits;
        rawBytes = bytes;
        ended = isEnd;
        crc32 = crc;
    }

    /** Forgets what an earlier wave that failed knew of it. */
    void restart() {
        chain = null;
        blocksRead = 0;
        piecesRead = 0;
        beingWritten = false;
    }

    /** Begins to follow the segment's blocks, in these tables. */
    SegmentChain begin(ByteBuffer blocks, ByteBuffer runs) {
        int units = entryCount();
        chain = new SegmentChain(
                input,
                searchBit(),
                headerAt < 0 ? -1 : headerAt * Byte.SIZE,
                headerBits,
                Math.min(outputBytes, mostRawBytes + SegmentChain.HISTORY_BYTES),
                blockLimit(units),
                pieceLimit(units),
                blocks,
                runs);
        chain.putStored(SegmentChain.HISTORY_BYTES - windowBytes, windowBytes, 0);
        return chain;
    }

    SegmentChain chain() {
        return chain;
    }

    /** Blocks that a device has read. */
    int blocksRead() {
        return blocksRead;
    }

    /** Pieces that a device has read. */
    int piecesRead() {
        return piecesRead;
    }

    /** Whether what was read is being produced. */
    boolean isBeingWritten() {
        return beingWritten;
    }

    /** Nothing more is read. */
    void setBeingWritten() {
        beingWritten = true;
        if (wholeBlocks) {
            chain.rewindToBlockStart();
        }
    }

    /** A device is reading all there are. */
    void setRead() {
        blocksRead = chain.blockCount();
        piecesRead = chain.pieceCount();
    }

    /** First bit at which a block may begin. */
    int searchBit() {
        return segmentAt * Byte.SIZE + bit;
    }

    /** The device is done. */
    void setResult(boolean allSound, int crc) {
        endBit = chain.bit() - segmentAt * Byte.SIZE;
        openHeaderBit = chain.openHeaderBit();
        openHeaderBits = chain.openHeaderBits();
        rawBytes = chain.outputAt() - SegmentChain.HISTORY_BYTES;
        ended = chain.ended();
        sound = allSound && endBit >= bit;
        crc32 = crc;
        chain = null;
    }

    @Override
    public boolean sound() {
        return sound;
    }

    /** Bits of the segment behind which it stands, counted from the lowest of its first byte. */
    int endBit() {
        return endBit;
    }

    @Override
    public int rawBytes() {
        return rawBytes;
    }

    boolean ended() {
        return ended;
    }

    /** Of the raw bytes. */
    int crc32() {
        return crc32;
    }

    @Override
    public int endByte() {
        return ended ? (endBit + Byte.SIZE - 1) / Byte.SIZE : endBit / Byte.SIZE;
    }

    /**
     * The position behind the segment.
     *
     * @param before it
     * @param bytes the segment's output, 32 KiB of history in front of it
     */
    StreamPosition positionBehind(StreamPosition before, ByteBuffer bytes) {
        byte[] window = before.window();
        int taken = Math.min(SegmentChain.HISTORY_BYTES, rawBytes);
        int from = Math.max(0, window.length + taken - SegmentChain.HISTORY_BYTES);
        byte[] last = Arrays.copyOfRange(window, from, window.length + taken);
        bytes.get(SegmentChain.HISTORY_BYTES + rawBytes - taken, last, last.length - taken, taken);
        return new StreamPosition(
                ended ? 0 : endBit % Byte.SIZE,
                last,
                // a header that stays open keeps its bits; another one lies in the segment
                openHeader(),
                openHeaderBits(),
                before.rawBytes() + rawBytes,
                Crc32Combine.combine(before.crc32(), crc32, rawBytes),
                ended);
    }

    /** Bits of the header of the block that is open at the end; 0 if none is. */
    private int openHeaderBits() {
        return openHeaderBit < 0 ? 0 : openHeaderBits;
    }

    /** These bits, from the lowest of the first byte on; what is behind them in the last byte is undefined. */
    private byte[] openHeader() {
        byte[] header = new byte[bytes(openHeaderBits())];
        for (int i = 0, at = openHeaderBit / Byte.SIZE; i < header.length; i++, at++) {
            int next = at + 1 < input.length() ? input.at(at + 1) : 0;
            header[i] = (byte) ((input.at(at) | next << Byte.SIZE) >> openHeaderBit % Byte.SIZE);
        }
        return header;
    }
}
