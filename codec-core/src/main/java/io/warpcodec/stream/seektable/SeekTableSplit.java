package io.warpcodec.stream.seektable;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdScanner;
import io.warpcodec.format.zstd.ZstdSeekTable;
import io.warpcodec.stream.SplitIndex;
import io.warpcodec.stream.SplitRange;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.UnitReader;
import java.io.IOException;
import java.io.InputStream;

/**
 * A split of a zstd file that ends with a seek table. Splits divide the file at frames that the table names. All tasks
 * of a job must come to one answer, so whether a table is used depends on the file's last bytes and nothing else. A
 * frame that is not where a used table says is an error: in the task that begins there, and in the one before it.
 */
public final class SeekTableSplit implements SplitIndex.Points {
    private final ZstdSeekTable table;
    private final SplitRange split;
    private final long first;

    private SeekTableSplit(ZstdSeekTable table, SplitRange split) {
        this.table = table;
        this.split = split;
        // the first split has what lies before the first frame
        this.first = split.start() == 0 ? 0 : table.firstFrom(split.start());
    }

    /** Tells how long a file is. */
    @FunctionalInterface
    public interface FileLength {
        /** The length, in bytes; -1 if nothing tells it: then no task of a job may know. */
        long bytes() throws IOException;
    }

    /** The rule by which a split of the file with this length begins. */
    public static SplitIndex index(FileLength length) {
        return (split, source) -> open(length.bytes(), split, source);
    }

    private static SeekTableSplit open(long fileBytes, SplitRange split, InputStream source) throws IOException {
        if (split.start() == 0 && split.end() >= fileBytes) {
            return null;
        }
        ZstdSeekTable table = ZstdSeekTable.find(fileBytes, (offset, count) -> read(split, source, offset, count));
        return table == null ? null : new SeekTableSplit(table, split);
    }

    private static byte[] read(SplitRange split, InputStream source, long offset, int count) throws IOException {
        split.seek(offset);
        byte[] bytes = source.readNBytes(count);
        if (bytes.length < count) {
            throw new IOException("the file ends before offset " + (offset + count) + ", which lay within it");
        }
        return bytes;
    }

    @Override
    public boolean isEmpty() {
        return first >= split.end();
    }

    @Override
    public long offset() {
        return first;
    }

    @Override
    public UnitReader read(CodecOptions options, EngineSelector engines, SplitIndex.Windows windows)
            throws IOException {
        SourceWindow window = windows.at(first);
        if (split.end() < Long.MAX_VALUE) {
            window.expectTo(split.end());
        }
        Scanner scanner = new ZstdScanner(options.framing(), options.outputBudgetBytes());
        if (first > 0) {
            requireFrame(window);
            scanner.restore(ZstdScanner.BETWEEN_FRAMES);
        }
        return new ChunkReader(
                Format.ZSTD, options, engines, window, scanner, table.seamFrom(split.end()), split.end());
    }

    private void requireFrame(SourceWindow window) throws IOException {
        boolean there = false;
        try {
            there = window.require(ZstdFormat.MAGIC_BYTES)
                    && (window.i32le(0) == ZstdFormat.MAGIC || SkippableFrames.isMagic(window.i32le(0)));
        } finally {
            if (!there) {
                window.release();
            }
        }
        if (!there) {
            throw ZstdSeekTable.noFrame(first);
        }
    }
}
