package io.warpcodec.format;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The split rule of formats whose chunks name their sizes. A chunk is a sync point if sizes lead from it, chunk to
 * chunk, far enough. Far enough is the end of the file, or a chunk that begins further than
 * {@link SizedChunk#reachBytes} behind it. That chunk is looked at, too. What lies verbatim inside a larger unit may
 * name a size that leads out of the unit, where no chunk begins.
 *
 * <p>A chain that breaks is walked once: whatever leads into it later breaks where it broke. So a seek, and a reader
 * behind its split's end, look at each chunk a bounded number of times, however many chains a file makes. One object
 * per stream, not thread-safe.
 */
public abstract class ChainedSyncPoints implements SyncPoints {
    private final int leastBytes;
    private final ScannerState between;
    /** Offsets of chunks on chains that broke, each with the offset of its chain's last chunk. */
    private final NavigableMap<Long, Long> broken = new TreeMap<>();

    /**
     * @param leastBytes bytes of a chunk to see before {@link #mayBeginAt} can tell
     * @param between the scanner's state between two chunks
     */
    protected ChainedSyncPoints(int leastBytes, ScannerState between) {
        this.leastBytes = leastBytes;
        this.between = between;
    }

    /** Whether a chunk may begin at this index of the window: quick to tell, and mostly right. */
    protected abstract boolean mayBeginAt(Window window, int index);

    /**
     * The chunk at an index of the window; null if none that names its size begins there, or not all of what names it
     * can be seen.
     */
    protected abstract SizedChunk chunkAt(Window window, int index) throws IOException;

    @Override
    public boolean fileHasSyncPoints(Window head) throws IOException {
        return chunkAt(head, 0) != null;
    }

    @Override
    public final boolean isSyncPoint(Window window) throws IOException {
        return holds(window);
    }

    /** Whether a chain that holds begins at the front of the window. */
    private boolean holds(Window window) throws IOException {
        broken.headMap(window.offset()).clear();
        SizedChunk first = chunkAt(window, 0);
        SizedChunk chunk = first;
        List<Long> walked = new ArrayList<>();
        long last = window.offset();
        int at = 0;
        while (chunk != null) {
            if (at > first.reachBytes() || chunk.reachesAlone()) {
                return true;
            }
            last = window.offset() + at;
            Long known = broken.get(last);
            if (known != null && known - window.offset() <= first.reachBytes()) {
                last = known;
                break;
            }
            walked.add(last);
            at += chunk.chunkBytes();
            if (!window.require(at + 1)) {
                if (window.ended() && window.buffered() == at) {
                    return true;
                }
                break;
            }
            chunk = chunkAt(window, at);
        }
        for (long each : walked) {
            broken.put(each, last);
        }
        return false;
    }

    @Override
    public ScannerState seek(Window window, long limitOffset) throws IOException {
        while (window.offset() < limitOffset && window.require(leastBytes)) {
            int candidates = (int) Math.min(window.buffered() - leastBytes + 1, limitOffset - window.offset());
            int at = 0;
            while (at < candidates && !mayBeginAt(window, at)) {
                at++;
            }
            window.consume(at);
            if (at < candidates) {
                if (holds(window)) {
                    return between;
                }
                window.consume(1);
            }
        }
        return null;
    }
}
