package io.warpcodec.engine.gpu;

import io.warpcodec.Format;
import io.warpcodec.device.DeviceLease;
import io.warpcodec.device.DevicePool;
import io.warpcodec.engine.Chunk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Some neighbouring raw chunks of a batch on their way through a device: the unit of admission. Its memory goes back with its last chunk. Not
 * thread-safe.
 */
final class GpuEncodeRequest implements AutoCloseable {
    // Input: the chunks one behind the other. Output: a place for each block, as large as the block may become.

    /** Raw bytes of a request, at most, unless a single chunk has more. */
    private static final int MOST_RAW_BYTES = 4 << 20;

    private static final int MOST_BLOCKS = 1024;
    private static final int ALIGNMENT_BYTES = 16;

    private final Format format;
    private final EncodeLayout layout;
    private final int mostRawBytes;
    private final List<Chunk> chunks = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final BlockJob job = new BlockJob();
    private int inputBytes;
    private int outputBytes;
    private int chunksLeft;
    private DeviceLease lease;

    /** Where a chunk lies in the input, and its blocks in the job. */
    private record Place(int inputAt, int firstBlock, int blockLimit) {}

    /** @param poolMostBytes the most that the pool admits at once */
    GpuEncodeRequest(Format format, EncodeLayout layout, int poolMostBytes) {
        this.format = format;
        this.layout = layout;
        this.mostRawBytes = Math.min(MOST_RAW_BYTES, poolMostBytes);
    }

    /** Whether another chunk belongs to this request. */
    boolean hasRoomFor(Chunk chunk) {
        return chunks.isEmpty()
                || inputBytes + chunk.bytes() <= mostRawBytes
                        && job.unitCount() + layout.blockCount(chunk.bytes()) <= MOST_BLOCKS;
    }

    /** Adds a chunk; its number in this request. */
    int add(Chunk chunk) {
        int firstBlock = job.unitCount();
        for (int at = 0; at < chunk.bytes(); at += layout.blockRawBytes()) {
            int rawBytes = Math.min(layout.blockRawBytes(), chunk.bytes() - at);
            int mostBytes = layout.mostBlockBytes(format, rawBytes);
            job.add(inputBytes + at, rawBytes, outputBytes, mostBytes);
            outputBytes += aligned(mostBytes);
        }
        if (layout.hash() != null) {
            job.addContent(inputBytes, chunk.bytes(), layout.hash().seed());
        }
        places.add(new Place(inputBytes, firstBlock, job.unitCount()));
        chunks.add(chunk);
        inputBytes += aligned(chunk.bytes());
        chunksLeft++;
        return chunks.size() - 1;
    }

    private static int aligned(int bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }

    /** Copies the chunks to the device's memory and queues them; false if the pool has no room for them now. */
    boolean submit(DevicePool pool, String program) {
        lease = pool.tryLease(program, inputBytes, Math.max(1, outputBytes), job.unitCount());
        if (lease == null) {
            return false;
        }
        ByteBuffer input = lease.input();
        for (int number = 0; number < chunks.size(); number++) {
            Chunk chunk = chunks.get(number);
            input.put(places.get(number).inputAt, chunk.bytesView(), 0, chunk.bytes());
        }
        lease.submit(job);
        return true;
    }

    /**
     * Waits for a chunk.
     *
     * @return null if it is encoded; else why not, as one word for a counter
     */
    String await(int number) throws InterruptedException {
        if (!lease.await()) {
            return lease.failure();
        }
        Place place = places.get(number);
        for (int block = place.firstBlock; block < place.blockLimit; block++) {
            BlockResult.Status status = job.result(block).status();
            boolean storable = status == BlockResult.Status.OUTPUT_EXCEEDED && layout.storedMark() != 0;
            if (status != BlockResult.Status.SOUND && !storable) {
                return "block-refused";
            }
        }
        return null;
    }

    /** Bytes of an encoded chunk's body, lengths included. */
    int bodyBytes(int number) {
        Place place = places.get(number);
        int bytes = 0;
        for (int block = place.firstBlock; block < place.blockLimit; block++) {
            bytes += (layout.length() == null ? 0 : EncodeLayout.LENGTH_BYTES) + blockBytes(block);
        }
        return bytes;
    }

    private int blockBytes(int block) {
        BlockResult result = job.result(block);
        return result.isSound() ? result.outputBytes() : job.inputBytes(block);
    }

    /**
     * Lays an encoded chunk's body, from the buffer's position on.
     *
     * @return false if the pool took the results back for others; then {@link #failure} says so
     */
    boolean copyBody(int number, ByteBuffer body) {
        Place place = places.get(number);
        ByteBuffer raw = chunks.get(number).bytesView();
        return lease.read(output -> {
            for (int block = place.firstBlock; block < place.blockLimit; block++) {
                boolean stored = !job.result(block).isSound();
                int bytes = blockBytes(block);
                layout.putLength(body, bytes, stored);
                ByteBuffer from = stored ? raw : output;
                int at = stored ? job.inputAt(block) - place.inputAt : job.outputAt(block);
                body.put(body.position(), from, at, bytes).position(body.position() + bytes);
            }
        });
    }

    /** Why the work was not done, as one word for a counter. */
    String failure() {
        return lease.failure();
    }

    /** The checksum of a chunk's raw bytes that its container keeps, 0 if it keeps none. */
    int checksum(int number) {
        return layout.hash() == null
                ? 0
                : job.contentHash(number) & layout.hash().mask();
    }

    /** One chunk less to come; after the last the memory goes back. */
    void taken() {
        if (--chunksLeft == 0) {
            close();
        }
    }

    @Override
    public void close() {
        if (lease != null) {
            lease.close();
        }
    }
}
