package io.warpcodec.engine.gpu;

import io.warpcodec.device.driver.NativeLibraryFolder;
import io.warpcodec.engine.choice.StartTurns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that the processes of one user on one machine share. It is locked by the process that is starting devices,
 * and holds what the last start took. Where the file cannot be had, a process starts as if it were alone.
 * Thread-safe.
 */
final class MachineStarts implements StartTurns {
    // The file lies in the folder that only this user can enter (NativeLibraryFolder), so that what it holds is this
    // user's, and no link leads out of it. The folder is below /tmp whatever java.io.tmpdir says: a task of YARN has a
    // java.io.tmpdir of its own, and /tmp is where all processes of a user already meet (/tmp/hsperfdata_USER). The
    // lock is the operating system's, which takes it back when a process ends in the middle of a start.

    private static final Path PARENT = Path.of("/tmp");
    private static final String FILE_NAME = "device-start";
    /** More than the digits of a long. */
    private static final int MOST_BYTES = 32;

    /** What was measured longer ago says nothing about how busy the driver is now. */
    static final long VALID_MILLIS = TimeUnit.MINUTES.toMillis(10);

    private static final Logger LOG = LoggerFactory.getLogger(MachineStarts.class);

    /** Null where there is none. */
    private final Path file;

    private MachineStarts(Path file) {
        this.file = file;
    }

    /** Those of this user's processes on this machine. Makes the folder if it is not there. */
    public static MachineStarts ofThisUser() {
        return below(PARENT);
    }

    static MachineStarts below(Path parent) {
        try {
            return new MachineStarts(NativeLibraryFolder.below(parent).path().resolve(FILE_NAME));
        } catch (IOException | RuntimeException failed) {
            LOG.debug("processes cannot take turns in starting devices: {}", failed.toString());
            return new MachineStarts(null);
        }
    }

    /** What the last start took, in nanoseconds; -1 if none was measured within the last ten minutes. */
    @Override
    public long measuredNanos() {
        if (file == null) {
            return -1;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long ageMillis =
                    System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis();
            ByteBuffer content = ByteBuffer.allocate(MOST_BYTES);
            channel.read(content, 0);
            String digits = new String(content.array(), 0, content.position(), StandardCharsets.US_ASCII).trim();
            return ageMillis > VALID_MILLIS || digits.isEmpty() ? -1 : Math.max(-1, Long.parseLong(digits));
        } catch (IOException | NumberFormatException none) {
            return -1;
        }
    }

    /**
     * This process's turn to start devices; null while another process, or another class loader of this one, has it.
     * Does not wait.
     */
    @Override
    public Turn tryTurn() {
        FileChannel channel = null;
        try {
            if (file == null) {
                return new LockedTurn(null);
            }
            channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return new LockedTurn(channel);
            }
        } catch (OverlappingFileLockException taken) {
            // by this process
        } catch (IOException failed) {
            LOG.debug("processes cannot take turns in starting devices: {}", failed.toString());
            close(channel);
            return new LockedTurn(null);
        }
        close(channel);
        return null;
    }

    private static void close(FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException failed) {
                LOG.debug("{}", failed.toString());
            }
        }
    }

    /** A turn, which ends when it is closed or the process ends. */
    private static final class LockedTurn implements Turn {
        /** Holds the lock; null where there is no file. */
        private final FileChannel channel;

        LockedTurn(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public void took(long nanos) {
            if (channel != null) {
                try {
                    channel.truncate(0);
                    channel.write(ByteBuffer.wrap(Long.toString(nanos).getBytes(StandardCharsets.US_ASCII)), 0);
                } catch (IOException failed) {
                    LOG.debug("{}", failed.toString());
                }
            }
        }

        @Override
        public void close() {
            MachineStarts.close(channel);
        }
    }
}
