package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipIndex.*;

import io.warpcodec.format.gzip.GzipIndex.Row;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;

/**
 * Gathers a {@link GzipIndex}: points in order, the start of the file first. Holds all windows as they will be
 * stored. Not thread-safe.
 */
public final class GzipIndexWriter {
    private final List<Row> rows = new ArrayList<>();
    private final ByteArrayOutputStream windows = new ByteArrayOutputStream();

    /** @param window the {@link GzipSeekPoint#windowBytes} raw bytes before the point */
    public void add(GzipSeekPoint point, byte[] window) {
        int storedBefore = windows.size();
        if (window.length > 0) {
            Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
            deflater.setInput(window);
            deflater.finish();
            byte[] stored = new byte[MAX_STORED_BYTES];
            while (!deflater.finished()) {
                windows.write(stored, 0, deflater.deflate(stored));
            }
            deflater.end();
        }
        rows.add(new Row(point, windows.size() - storedBefore, crcOf(window, 0, window.length)));
    }

    /** How many points there are. */
    public int count() {
        return rows.size();
    }

    /** Whether there is no space for one more. */
    public boolean isFull() {
        return rows.size() == MAX_POINTS || windows.size() > MAX_ALL_WINDOWS_BYTES - MAX_STORED_BYTES;
    }

    /**
     * The index.
     *
     * @param end where the last member ends
     * @param fileBytes size of the gzip file
     * @param head its first {@link GzipIndex#SAMPLE_BYTES}, or all of it
     * @param tail its last ones
     */
    public byte[] finish(GzipSeekPoint end, long fileBytes, byte[] head, byte[] tail) {
        int tableBytes = HEADER_BYTES + ROW_BYTES * (rows.size() + 1) + CRC_BYTES;
        ByteBuffer out = ByteBuffer.allocate(tableBytes + windows.size()).order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(MAGIC).putShort((short) VERSION).putShort((short) 0).putInt(rows.size());
        out.putLong(fileBytes).putInt(crcOf(head, 0, head.length)).putInt(crcOf(tail, 0, tail.length));
        rows.forEach(row -> row.put(out));
        new Row(end, 0, 0).put(out);
        out.putInt(crcOf(out.array(), 0, out.position()));
        out.put(windows.toByteArray());
        return out.array();
    }
}
