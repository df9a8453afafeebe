package io.warpcodec.engine.cpu.lz4;

import static io.warpcodec.format.lz4.Lz4Format.*;

import io.warpcodec.engine.BlockRun;
import io.warpcodec.engine.BlockRunDecoder;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.lz4.Lz4FrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.zip.DataFormatException;

/**
 * Decodes one unit of an LZ4 frame stream: a frame, a skippable frame, or one block of a legacy frame. The first word
 * tells which, for no magic is a legacy block's size; whether a legacy block may stand here is the scanner's to know.
 *
 * <p>Blocks that refer to the ones before them are made independent by {@link Lz4Blocks#merge} and decoded into
 * memory where the last 64 KiB of content stand before them.
 *
 * <p>With a {@link BlockRunDecoder}, blocks that are whole in the input at hand are offered to it as runs, and so is
 * each block that is long enough alone. What it does not decode goes the usual way, so that it never changes an
 * outcome.
 */
public final class Lz4FrameSession extends Lz4Session {
    /** Where in the unit the session stands. */
    private enum Phase {
        MAGIC,
        FRAME_HEADER,
        BLOCK_SIZE,
        BLOCK,
        CONTENT_CHECKSUM,
        SKIPPABLE_SIZE,
        SKIPPABLE,
        LEGACY_BLOCK,
        FINISHED
    }

    private final Lz4Blocks blocks = Lz4Blocks.FASTEST;
    private final Lz4FrameContent content = new Lz4FrameContent();
    private final Lz4RunOffers runs;
    private Phase phase;
    private Lz4FrameHeader frame;
    private int headerBytes;
    private int blockWord;
    private long skipLeftBytes;
    /** Content at the front of the scratch memory that the next block may refer to; linked frames only. */
    private int historyBytes;
    /** Where that content stands until the move to the front. */
    private int historyStart;

    private Lease lent;

    /** @param runs decodes what it can; null if this session decodes all by itself */
    public Lz4FrameSession(HeapLeases leases, BlockRunDecoder runs) {
        super(leases);
        this.runs = new Lz4RunOffers(runs);
        reset(0);
    }

    /**
     * Once a block has come that is larger than what a stream offers: memory for the next, so that it is copied once,
     * not twice. Not for runs: with devices and without, each call is to hand out the same bytes, also before an
     * error.
     */
    @Override
    public ByteBuffer preferredOutput() {
        if (content.bytes() == 0
                || !frame.independent()
                || frame.blockMaxBytes() == OUR_BLOCK_BYTES
                || content.bytes() < frame.blockMaxBytes()) {
            return null;
        }
        if (lent == null) {
            lent = leases.lease(frame.blockMaxBytes(), "lz4 output");
        }
        return lent.memory().duplicate().clear().limit(frame.blockMaxBytes());
    }

    /** A block of the size that we write, and most others. */
    @Override
    public int leastOutputBytes() {
        return OUR_BLOCK_BYTES;
    }

    @Override
    public int usefulInputBytes() {
        return runs.usefulInputBytes();
    }

    @Override
    void restart() {
        giveBack();
        phase = Phase.MAGIC;
        content.restart();
        runs.restart();
        historyBytes = 0;
        historyStart = 0;
    }

    private void giveBack() {
        if (lent != null) {
            lent.release();
            lent = null;
        }
    }

    @Override
    public void close() {
        super.close();
        giveBack();
    }

    @Override
    boolean isFinished() {
        return phase == Phase.FINISHED;
    }

    @Override
    String unitWord() {
        return phase == Phase.LEGACY_BLOCK ? "legacy block" : "frame";
    }

    @Override
    boolean step(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException {
        switch (phase) {
            case FRAME_HEADER -> {
                return frameHeader(input);
            }
            case BLOCK -> {
                ByteBuffer block = body(input, (blockWord & ~UNCOMPRESSED) + (frame.blockChecksums() ? 4 : 0));
                if (block == null) {
                    return false;
                }
                moveHistory();
                block(block, output);
                phase = Phase.BLOCK_SIZE;
                return true;
            }
            case SKIPPABLE -> {
                int count = (int) Math.min(skipLeftBytes, input.remaining());
                input.position(input.position() + count);
                skipLeftBytes -= count;
                phase = skipLeftBytes == 0 ? Phase.FINISHED : phase;
                return skipLeftBytes == 0;
            }
            case LEGACY_BLOCK -> {
                ByteBuffer block = body(input, blockWord);
                if (block == null) {
                    return false;
                }
                legacyBlock(block, output);
                phase = Phase.FINISHED;
                return true;
            }
            default -> {
                if (phase == Phase.BLOCK_SIZE && runs.areOpen() && !headerBegun() && run(input, output)) {
                    return true;
                }
                ByteBuffer header = header(input, 4);
                if (header == null) {
                    return false;
                }
                word(header.order(ByteOrder.LITTLE_ENDIAN).getInt(0));
                return true;
            }
        }
    }

    /** Takes one word outside the blocks. */
    private void word(int word) throws IOException, DataFormatException {
        switch (phase) {
            case MAGIC -> {
                if (word == FRAME_MAGIC) {
                    phase = Phase.FRAME_HEADER;
                    headerBytes = Lz4FrameHeader.LEAST_BYTES;
                    return;
                }
                headerDone();
                if (SkippableFrames.isMagic(word)) {
                    phase = Phase.SKIPPABLE_SIZE;
                } else if (word == LEGACY_MAGIC) {
                    phase = Phase.FINISHED;
                } else if (isLegacyBlockBytes(word)) {
                    blockWord = word;
                    phase = Phase.LEGACY_BLOCK;
                } else {
                    throw corrupt(Lz4FrameHeader.WRONG_MAGIC);
                }
            }
            case SKIPPABLE_SIZE -> {
                headerDone();
                skipLeftBytes = word & 0xffff_ffffL;
                phase = skipLeftBytes == 0 ? Phase.FINISHED : Phase.SKIPPABLE;
            }
            case BLOCK_SIZE -> {
                headerDone();
                blockSize(word);
            }
            case CONTENT_CHECKSUM -> {
                headerDone();
                content.check(word);
                phase = Phase.FINISHED;
            }
            default -> throw new IllegalStateException(phase.name());
        }
    }

    private boolean frameHeader(ByteBuffer input) throws IOException {
        ByteBuffer header = header(input, headerBytes);
        if (header == null) {
            return false;
        }
        if (headerBytes == Lz4FrameHeader.LEAST_BYTES) {
            headerBytes = Lz4FrameHeader.bytes(header.get(headerBytes - 1));
            return true;
        }
        String defect = Lz4FrameHeader.defect(header);
        if (defect != null) {
            throw corrupt(defect);
        }
        frame = Lz4FrameHeader.of(header);
        content.begin(frame);
        headerDone();
        phase = Phase.BLOCK_SIZE;
        return true;
    }

    private void blockSize(int word) throws IOException, DataFormatException {
        if (word == 0) {
            content.end();
            phase = frame.contentChecksum() ? Phase.CONTENT_CHECKSUM : Phase.FINISHED;
        } else if ((word & ~UNCOMPRESSED) > frame.blockMaxBytes()) {
            throw corrupt("a block claims " + (word & ~UNCOMPRESSED) + " bytes, over the maximum of "
                    + frame.blockMaxBytes());
        } else {
            blockWord = word;
            phase = Phase.BLOCK;
        }
    }

    /** The most that the next block may hold. */
    private int mostRawBytes(int bytes) {
        if ((blockWord & UNCOMPRESSED) != 0) {
            return bytes;
        }
        return content.left(Math.min(frame.blockMaxBytes(), maxRawBytes(bytes)));
    }

    private void block(ByteBuffer block, ByteBuffer output) throws IOException, DataFormatException {
        int at = block.position();
        int bytes = blockWord & ~UNCOMPRESSED;
        if (frame.blockChecksums()) {
            int checksum =
                    block.slice(at + bytes, 4).order(ByteOrder.LITTLE_ENDIAN).getInt(0);
            if (checksum != Lz4Hash.of(block, at, bytes, 0)) {
                throw corrupt("a block checksum is wrong");
            }
        }
        int most = mostRawBytes(bytes);
        boolean stored = (blockWord & UNCOMPRESSED) != 0;
        if (!stored
                && runs.isRunOf(most, !frame.independent())
                && run(block, List.of(new BlockRun.Block(at, bytes, most, false)), most, output)) {
            return;
        }
        boolean ofRun = runs.leaveToSession();
        long begin = System.nanoTime();
        boolean direct = frame.independent() && output.remaining() >= most;
        ByteBuffer target = direct ? output : scratch(historyBytes + most, historyBytes);
        int start = direct ? output.position() : historyBytes;
        int rawBytes = direct || start == 0 || stored
                ? decode(block, at, bytes, target, start, most)
                : decodeLinked(block, at, bytes, target, most);
        if (ofRun) {
            runs.sessionDid(rawBytes, System.nanoTime() - begin);
        }
        decoded(target, start, rawBytes, output);
    }

    /** Hands decoded bytes on: they lie in the output, or behind the history. */
    private void decoded(ByteBuffer target, int start, int rawBytes, ByteBuffer output) throws DataFormatException {
        if (target == output) {
            output.position(start + rawBytes);
            content.add(output, start, rawBytes);
            return;
        }
        content.add(target, start, rawBytes);
        deliver(start, rawBytes, output);
        if (!frame.independent()) {
            historyBytes = Math.min(WINDOW_BYTES, start + rawBytes);
            historyStart = start + rawBytes - historyBytes;
        }
    }

    /** Decodes the blocks that are whole in the input, if they are a run; else leaves the input as it was. */
    private boolean run(ByteBuffer input, ByteBuffer output) throws IOException, DataFormatException {
        moveHistory();
        boolean linked = !frame.independent();
        Lz4RunScan scan = new Lz4RunScan(frame, content.bytes(), runs.mostRawBytes(linked));
        List<BlockRun.Block> found = scan.blocks(input);
        if (!scan.hasCompressed() || !runs.isRunOf(scan.rawBytes(), linked)) {
            return false;
        }
        if (!run(input, found, scan.rawBytes(), output)) {
            return false;
        }
        input.position(scan.limit());
        return true;
    }

    private boolean run(ByteBuffer source, List<BlockRun.Block> from, int most, ByteBuffer output)
            throws IOException, DataFormatException {
        boolean linked = !frame.independent();
        boolean direct = !linked && output.hasArray() && output.remaining() >= most;
        ByteBuffer target = direct ? output : scratch(historyBytes + most, historyBytes);
        int start = direct ? output.position() : historyBytes;
        int rawBytes =
                runs.decode(new BlockRun(source, from, linked, linked ? target : null, historyBytes), target, start);
        if (rawBytes < 0) {
            return false;
        }
        decoded(target, start, rawBytes, output);
        return true;
    }

    private int decode(ByteBuffer block, int at, int bytes, ByteBuffer target, int targetAt, int most)
            throws DataFormatException {
        if ((blockWord & UNCOMPRESSED) != 0) {
            target.put(targetAt, block, at, bytes);
            return bytes;
        }
        return blocks.decode(block, at, bytes, target, targetAt, most);
    }

    private int decodeLinked(ByteBuffer block, int at, int bytes, ByteBuffer target, int most)
            throws DataFormatException {
        Lease merged = leases.lease(Lz4Blocks.mergedBytes(historyBytes, bytes), "lz4 linked block");
        try {
            int mergedBytes = Lz4Blocks.merge(target, 0, historyBytes, block, at, bytes, merged.memory());
            return blocks.decode(merged.memory(), 0, mergedBytes, target, 0, historyBytes + most) - historyBytes;
        } finally {
            merged.release();
        }
    }

    /** Moves what the next block may refer to, once all of it is handed out, to the front of the scratch memory. */
    private void moveHistory() {
        if (historyStart > 0) {
            scratch(0, 0)
                    .duplicate()
                    .limit(historyStart + historyBytes)
                    .position(historyStart)
                    .compact();
            historyStart = 0;
        }
    }

    private void legacyBlock(ByteBuffer block, ByteBuffer output) throws IOException, DataFormatException {
        int most = (int) Math.min(LEGACY_BLOCK_BYTES, maxRawBytes(blockWord));
        ByteBuffer target = scratch(most, 0);
        int rawBytes = BlockRunDecoder.NOT_NOW;
        if (runs.isRunOf(most, false)) {
            BlockRun.Block whole = new BlockRun.Block(block.position(), blockWord, most, false);
            rawBytes = runs.decode(new BlockRun(block, List.of(whole), false, null, 0), target, 0);
        } else {
            runs.leaveToSession();
        }
        if (rawBytes < 0) {
            rawBytes = blocks.decode(block, block.position(), blockWord, target, 0, most);
        }
        deliver(0, rawBytes, output);
    }

    @Override
    public String missing() {
        return switch (phase) {
            case MAGIC, FRAME_HEADER -> "inside a frame's header";
            case BLOCK_SIZE -> "inside a frame, before its end mark";
            case BLOCK, LEGACY_BLOCK -> "inside a block";
            case CONTENT_CHECKSUM -> "inside a frame's content checksum";
            default -> "inside a skippable frame";
        };
    }
}
