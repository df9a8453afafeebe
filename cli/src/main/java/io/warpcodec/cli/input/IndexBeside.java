package io.warpcodec.cli.input;

import io.warpcodec.Format;
import io.warpcodec.cli.file.CountedInput;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.stream.gzipindex.SideCar;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;

/**
 * The index beside a gzip file. A user that may write into the folder may have put anything under the index's name: a
 * link, a pipe, a folder, or any file. Such a file may be of any size, and have nothing to do with the gzip file. So
 * only a regular file is opened, and its header is compared with the gzip file before anything else is read. Only a
 * file that begins as an index does is replaced or deleted.
 */
public final class IndexBeside {

    private final Location gzip;
    private final Location index;

    private IndexBeside(Location gzip, Location index) {
        this.gzip = gzip;
        this.index = index;
    }

    /** The index beside a file, whether there is one or not. */
    public static IndexBeside of(Location gzip) throws IOException {
        return new IndexBeside(gzip, gzip.beside(GzipIndex.nameFor(gzip.fileName())));
    }

    /** Where it lies. */
    public Location location() {
        return index;
    }

    /** The number of places where the file splits by its index; 0 if {@link #table} is null. */
    public int places() throws IOException {
        GzipIndex table = table();
        return table == null ? 0 : table.count() - 1;
    }

    /** The index's table; null if the index is missing, no regular file, damaged, or of a file of another size. */
    public GzipIndex table() throws IOException {
        if (!index.isRegular()) {
            return null;
        }
        try (CountedInput input = gzip.open();
                CountedInput source = index.openRegular()) {
            byte[] header = source.readNBytes(GzipIndex.HEADER_BYTES);
            int tableBytes = GzipIndex.tableBytes(header, source.totalBytes());
            if (GzipIndex.fileBytes(header) != input.totalBytes()) {
                return null;
            }
            byte[] table = Arrays.copyOf(header, tableBytes);
            int rest = source.readNBytes(table, header.length, tableBytes - header.length);
            if (rest < tableBytes - header.length) {
                return null;
            }
            return GzipIndex.parse(table, source.totalBytes());
        } catch (GzipIndexException unusable) {
            return null;
        }
    }

    /** Opens it; null if there is none. */
    public SideCar open() throws IOException {
        return index.isRegular() ? new Opened(gzip, index) : null;
    }

    /** An index that is read from its front to its end; a read before the last one opens it again. */
    private static final class Opened implements SideCar {
        private final Location index;
        private final long fileBytes;
        private CountedInput source;

        Opened(Location gzip, Location index) throws IOException {
            this.index = index;
            try (CountedInput input = gzip.open()) {
                this.fileBytes = input.totalBytes();
            }
            this.source = index.openRegular();
        }

        @Override
        public String name() {
            return index.name();
        }

        @Override
        public long indexBytes() {
            return source.totalBytes();
        }

        @Override
        public long fileBytes() {
            return fileBytes;
        }

        @Override
        public void read(long offset, byte[] target) throws IOException {
            if (offset < source.offset()) {
                source.close();
                source = index.openRegular();
            }
            source.skipNBytes(offset - source.offset());
            if (source.readNBytes(target, 0, target.length) < target.length) {
                throw new EOFException(index.name() + " is cut short");
            }
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }

    /**
     * Throws if something has its name that an index may not replace. An empty file may be, as one is what a disk
     * that was full leaves.
     */
    public void requireReplaceable() throws IOException {
        if (!index.exists()) {
            return;
        }
        try (CountedInput source = index.openRegular()) {
            if (source.totalBytes() > 0 && !GzipIndex.isIndex(source.readNBytes(GzipIndex.HEADER_BYTES))) {
                throw new FileProblem(index.name(), "is no index, not replaced");
            }
        }
    }

    /** Deletes it, if it is one of another file or of another version of its file. */
    public void deleteIfUnusable() throws IOException {
        if (index.exists() && places() == 0) {
            delete();
        }
    }

    /** Deletes it, if it is one and its file has the name of a gzip file. */
    public void delete() throws IOException {
        if (FileSuffix.formatOf(gzip.fileName()) != Format.GZIP || !index.isRegular()) {
            return;
        }
        try (CountedInput source = index.openRegular()) {
            if (GzipIndex.isIndex(source.readNBytes(GzipIndex.HEADER_BYTES))) {
                index.delete(source, null);
            }
        }
    }

    /**
     * Deletes a file that was read, and first the index beside it, which is of no use without it.
     *
     * @param output what takes the file's place
     */
    public static void deleteWithFile(Location file, CountedInput opened, PendingOutput output) throws IOException {
        file.requireMayGo(opened);
        of(file).delete();
        file.delete(opened, output);
    }
}
