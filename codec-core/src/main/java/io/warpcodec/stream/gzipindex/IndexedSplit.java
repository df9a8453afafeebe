package io.warpcodec.stream.gzipindex;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.SplitIndex;
import io.warpcodec.stream.SplitRange;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A split of a gzip file whose side-car index has been read and found to be of this file.
 *
 * <p>All tasks of a job must come to one answer here: the split at 0 reads the whole file where the index is not
 * used. So the answer depends on the bytes of the gzip file and of the index's table, and on nothing else. A damaged
 * window, which only the task that needs it sees, is no reason to ignore the index. What cannot be read at all is an
 * IOException.
 */
final class IndexedSplit implements SplitIndex.Points {
    private static final Logger LOG = LoggerFactory.getLogger(IndexedSplit.class);

    private final String name;
    private final GzipIndex index;
    private final int first;
    private final int limit;
    private final byte[] window;

    private IndexedSplit(String name, GzipIndex index, int first, int limit, byte[] window) {
        this.name = name;
        this.index = index;
        this.first = first;
        this.limit = limit;
        this.window = window;
    }

    /**
     * Looks for an index, and reads of it what the split needs.
     *
     * @return null if there is none, it cannot be used, or the split is the whole file
     */
    static IndexedSplit open(SideCar.Finder sideCars, SplitRange split, InputStream source) throws IOException {
        try (SideCar sideCar = sideCars.find()) {
            if (sideCar == null || split.start() == 0 && split.end() >= sideCar.fileBytes()) {
                return null;
            }
            try {
                return open(split, source, sideCar);
            } catch (GzipIndexException wrong) {
                countDefect(wrong.defect());
                LOG.warn("{} is ignored: {}", sideCar.name(), wrong.getMessage());
                return null;
            }
        }
    }

    /** Counts an index that is not used. */
    static void countDefect(GzipIndexException.Defect defect) {
        FallbackReason reason = switch (defect) {
            case UNREADABLE -> FallbackReason.SIDECAR_UNREADABLE;
            case STALE -> FallbackReason.SIDECAR_STALE;
            case LYING -> FallbackReason.SIDECAR_LYING;
        };
        Metrics.countFallback(Direction.DECODE, Format.GZIP, reason);
    }

    private static IndexedSplit open(SplitRange split, InputStream source, SideCar sideCar) throws IOException {
        GzipIndex index = read(sideCar, offset -> {
            split.seek(offset);
            return source.readNBytes(GzipIndex.SAMPLE_BYTES);
        });
        int first = index.firstFrom(split.start());
        // the split at 0 has the first span however short it is itself
        int limit = Math.max(1, index.firstFrom(split.end()));
        byte[] window = null;
        if (first < limit) {
            byte[] stored = new byte[index.windowStoredBytes(first)];
            sideCar.read(index.windowOffset(first), stored);
            window = windowOrNull(index, first, stored);
        }
        return new IndexedSplit(sideCar.name(), index, first, limit, window);
    }

    /** Reads the bytes at an offset of the gzip file that an index is compared with. */
    @FunctionalInterface
    interface Samples {
        byte[] at(long offset) throws IOException;
    }

    /**
     * Reads the header, 32 bytes, and compares the file with it, before anything is sized by what the index says;
     * then the table, which is no longer than the index is.
     *
     * @throws GzipIndexException if the index is damaged, or not of this file
     */
    static GzipIndex read(SideCar sideCar, Samples samples) throws IOException {
        long indexBytes = sideCar.indexBytes();
        long fileBytes = sideCar.fileBytes();
        byte[] header = new byte[(int) Math.min(indexBytes, GzipIndex.HEADER_BYTES)];
        sideCar.read(0, header);
        int tableBytes = GzipIndex.tableBytes(header, indexBytes);
        byte[] head = samples.at(0);
        byte[] tail = samples.at(Math.max(0, fileBytes - GzipIndex.SAMPLE_BYTES));
        GzipIndex.checkFile(header, fileBytes, head, tail);
        GzipIndex index;
        try {
            byte[] table = new byte[tableBytes];
            sideCar.read(0, table);
            index = GzipIndex.parse(table, indexBytes);
        } catch (OutOfMemoryError full) {
            // not ignored: tasks with more memory would use the index
            throw new IOException(
                    sideCar.name() + " has a table of " + tableBytes + " bytes, too many for this JVM", full);
        }
        index.check(fileBytes, head, tail);
        return index;
    }

    private static byte[] windowOrNull(GzipIndex index, int point, byte[] stored) {
        try {
            return index.window(point, stored);
        } catch (GzipIndexException damaged) {
            return null;
        }
    }

    /** Whether the split has no point. */
    @Override
    public boolean isEmpty() {
        return first >= limit;
    }

    /** Offset of the byte that its first point lies in. */
    @Override
    public long offset() {
        return index.point(first).byteOffset();
    }

    /** Reads from its first point on. */
    @Override
    public IndexedReader read(CodecOptions options, EngineSelector engines, SplitIndex.Windows windows)
            throws IOException {
        return new IndexedReader(options, engines, index, name, windows, first, window, limit);
    }
}
