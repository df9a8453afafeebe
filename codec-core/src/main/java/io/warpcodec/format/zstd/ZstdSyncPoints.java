package io.warpcodec.format.zstd;

import static io.warpcodec.format.zstd.ZstdFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.format.ChainedSyncPoints;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The split rule of zstd. A file can be split if its first frame is one of many by its looks: it has a checksum, and
 * declares at most 8 MiB, or is announced as pzstd does. Then each frame with a checksum is a sync point, from which
 * frames like that, and short skippable ones, lead further than the largest of ours could be. Markers of older
 * versions are skippable frames like any other.
 *
 * <p>Why that far: a raw block can carry a whole file of such frames verbatim. But it has only 128 KiB of that file
 * before the next block header breaks the chain. A checksum follows the last block of a frame, so that such a chain
 * does not end with the frame either.
 */
public final class ZstdSyncPoints extends ChainedSyncPoints {
    /** The most that a first frame may declare. A longer one is likely to be all of its file. */
    static final int MAX_FIRST_BYTES = 8 << 20;

    /** Content of the skippable frame in which pzstd announces the length of the frame behind it. */
    private static final int ANNOUNCED_BYTES = 4;

    /**
     * Most block headers that one search looks at. By chance, false frames are followed for a few. A file made to
     * have many, each with a long way to go, must not keep a reader busy for hours.
     */
    private static final int MAX_STEPS = 1 << 26;

    private int steps;

    public ZstdSyncPoints() {
        super(MAGIC_BYTES, ZstdScanner.BETWEEN_FRAMES);
    }

    @Override
    public int headBytes() {
        return 2 * ZstdMarker.MOST_BYTES + MAX_HEADER_BYTES;
    }

    /** Judged by the header of the first frame: skippable ones before it may be as long as a marker was. */
    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        First first = first(head);
        return first != null && (first.announced() || first.header().declaresAtMost(MAX_FIRST_BYTES));
    }

    @Override
    public boolean fileHasChunks(Window head) throws IOException {
        First first = first(head);
        return first != null && first.header().declaresAtMost(CodecOptions.MAX_CHUNK_BYTES);
    }

    /** The first frame of a file, and whether the skippable one before it is pzstd's. */
    private record First(ZstdFrameHeader header, boolean announced) {}

    /** The first frame, if it may be a link of a chain; else null. */
    private static First first(Window head) throws IOException {
        int at = 0;
        boolean announced = false;
        for (ZstdLink skipped = ZstdLink.skippable(head, 0); skipped != null; skipped = ZstdLink.skippable(head, at)) {
            announced = head.i32le(at) == SkippableFrames.MAGIC
                    && head.i32le(at + SkippableFrames.SIZE_AT) == ANNOUNCED_BYTES;
            at += skipped.chunkBytes();
        }
        if (!head.require(at + MAGIC_BYTES) || head.i32le(at) != MAGIC) {
            return null;
        }
        ZstdFrameHeader header = ZstdLink.header(head, at);
        return header != null && ZstdLink.isLink(header) ? new First(header, announced) : null;
    }

    @Override
    protected boolean mayBeginAt(Window window, int index) {
        return window.u8(index) == (MAGIC & 0xff) && window.i32le(index) == MAGIC;
    }

    /** A skippable frame leads on, but no chain begins with one. */
    @Override
    protected SizedChunk chunkAt(Window window, int index) throws IOException {
        if (!window.require(index + MAGIC_BYTES)) {
            return null;
        }
        if (window.i32le(index) != MAGIC) {
            return index == 0 ? null : ZstdLink.skippable(window, index);
        }
        return ZstdLink.frame(window, index, this::step);
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        steps = 0;
        return super.seek(window, limitOffset);
    }

    private void step(Window window) throws IOException {
        if (++steps > MAX_STEPS) {
            throw new CorruptDataException(
                    Format.ZSTD, window.offset(), "too many false frames in a search for the first one");
        }
    }
}
