package io.warpcodec.engine.gpu.block;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import java.nio.ByteBuffer;

/**
 * The tables of a batch: entries, which go to the device, and one {@link BlockResult} for each, which comes back. In
 * workspace and staging area alike the results follow the entries.
 *
 * @param table where the host writes the entries
 * @param answer where the results arrive
 * @param entries the former on the device
 * @param results the latter on the device
 */
public record BatchTables(PinnedBuffer table, PinnedBuffer answer, DeviceBuffer entries, DeviceBuffer results) {

    /** Bytes of workspace, and of staging area, for so many entries. */
    public static long bytes(int entryCount, int entryBytes) {
        return (long) entryCount * (entryBytes + BlockBatch.RESULT_BYTES);
    }

    /**
     * Cuts them out.
     *
     * @throws IllegalArgumentException if the workspace is not aligned to 8 bytes
     * @throws IndexOutOfBoundsException if one of both is too small
     */
    public static BatchTables cut(int entryCount, int entryBytes, LaunchMemory memory) {
        DeviceBuffer workspace = memory.workspace();
        PinnedBuffer staging = memory.staging();
        workspace.requireAligned(Long.BYTES);
        int tableBytes = Math.multiplyExact(entryCount, entryBytes);
        int resultBytes = Math.multiplyExact(entryCount, BlockBatch.RESULT_BYTES);
        return new BatchTables(
                staging.slice(0, tableBytes),
                staging.slice(tableBytes, resultBytes),
                workspace.slice(0, tableBytes),
                workspace.slice(tableBytes, resultBytes));
    }

    /** Asks for the copy of the entries to the device. */
    public void upload(DeviceStream stream) throws DeviceException {
        stream.upload(table, entries);
    }

    /** Asks for the copy of the results from the device. */
    public void download(DeviceStream stream) throws DeviceException {
        stream.download(results, answer);
    }

    /** The results of a batch whose stream has been synchronised. */
    public static BlockResult[] results(int entryCount, int entryBytes, PinnedBuffer staging) {
        ByteBuffer view = staging.view().position(Math.multiplyExact(entryCount, entryBytes));
        BlockResult[] results = new BlockResult[entryCount];
        for (int unit = 0; unit < entryCount; unit++) {
            int statusWord = view.getInt();
            results[unit] = BlockResult.of(statusWord, view.getInt());
        }
        return results;
    }
}
