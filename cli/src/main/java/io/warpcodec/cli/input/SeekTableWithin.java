package io.warpcodec.cli.input;

import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.format.zstd.ZstdSeekTable;
import java.io.IOException;

/** The seek table at the end of a zstd file. */
public final class SeekTableWithin {
    private SeekTableWithin() {}

    /**
     * The number of places where the file splits by its table; 0 if it has none, or is no regular file.
     *
     * @throws IOException if the file cannot be read
     */
    public static int places(Location zstd) throws IOException {
        if (!zstd.isRegular()) {
            return 0;
        }
        ZstdSeekTable table;
        try (CountedInput size = zstd.open()) {
            table = ZstdSeekTable.find(size.totalBytes(), (offset, count) -> read(zstd, offset, count));
        }
        return table == null ? 0 : table.count() - 1;
    }

    private static byte[] read(Location file, long offset, int count) throws IOException {
        try (CountedInput input = file.open()) {
            input.skipNBytes(offset);
            byte[] bytes = new byte[count];
            input.readNBytes(bytes, 0, count);
            return bytes;
        }
    }
}
