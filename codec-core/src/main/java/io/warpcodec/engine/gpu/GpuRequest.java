package io.warpcodec.engine.gpu;

import io.warpcodec.device.DeviceLease;
import io.warpcodec.device.DevicePool;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.DecodePlan.Body;
import io.warpcodec.engine.gpu.DecodePlan.Content;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Some neighbouring chunks of a batch on their way through a device: the unit of admission. Its memory goes back with its last chunk. Not
 * thread-safe.
 */
final class GpuRequest implements AutoCloseable {
    // Layout. Input: the bodies that are not stored, one behind the other. Output: the chunks one behind the other,
    // each with all its bodies; the places of stored bodies stay unused, so that offsets in a chunk and in its output
    // go together.

    /** Decoded bytes of a request, at most, unless a single chunk has more: large enough for full speed of the link. */
    private static final int MOST_RAW_BYTES = 4 << 20;

    private static final int MOST_BLOCKS = 1024;
    private static final String CHECKSUM = "checksum";
    /** Blocks begin at multiples of this, which is how kernels read. */
    private static final int ALIGNMENT_BYTES = 16;

    private final List<Chunk> chunks = new ArrayList<>();
    private final List<DecodePlan> plans = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final BlockJob job = new BlockJob();
    private final int mostRawBytes;
    private int inputBytes;
    private int rawBytes;
    private int chunksLeft;
    private DeviceLease lease;

    /** Where a chunk's output begins, its blocks in the job, and the first of its contents there, or -1 if the host hashes them. */
    private record Place(int outputAt, int firstBlock, int blockLimit, int firstContent) {}

    /** @param poolMostBytes the most that the pool admits at once */
    GpuRequest(int poolMostBytes) {
        mostRawBytes = Math.min(MOST_RAW_BYTES, poolMostBytes);
    }

    /** Whether another chunk belongs to this request. */
    boolean hasRoomFor(DecodePlan plan) {
        return plans.isEmpty()
                || rawBytes + plan.rawBytes() <= mostRawBytes && job.unitCount() + plan.blockCount() <= MOST_BLOCKS;
    }

    /** Adds a chunk; its number in this request. */
    int add(Chunk chunk, DecodePlan plan) {
        int firstBlock = job.unitCount();
        int outputAt = rawBytes;
        for (Body body : plan.bodies()) {
            if (!body.stored()) {
                job.add(inputBytes, body.bytes(), rawBytes, body.rawBytes());
                inputBytes += (body.bytes() + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
            }
            rawBytes += body.rawBytes();
        }
        chunks.add(chunk);
        plans.add(plan);
        int firstContent = -1;
        if (plan.isAllBlocks()) {
            firstContent = job.contentCount();
            for (Content content : plan.contents()) {
                job.addContent(outputAt + content.at(), content.bytes(), content.seed());
            }
        }
        places.add(new Place(outputAt, firstBlock, job.unitCount(), firstContent));
        chunksLeft++;
        return chunks.size() - 1;
    }

    /** Copies the blocks to the device's memory and queues them; false if the pool has no room for them now. */
    boolean submit(DevicePool pool, String program) {
        if (job.unitCount() == 0) {
            return true;
        }
        lease = pool.tryLease(program, inputBytes, job.outputLimit(), job.unitCount());
        if (lease == null) {
            return false;
        }
        ByteBuffer input = lease.input();
        int block = 0;
        for (int index = 0; index < chunks.size(); index++) {
            ByteBuffer bytes = chunks.get(index).bytesView();
            for (Body body : plans.get(index).bodies()) {
                if (!body.stored()) {
                    input.put(job.inputAt(block++), bytes, body.at(), body.bytes());
                }
            }
        }
        lease.submit(job);
        return true;
    }

    /**
     * Waits for a chunk and copies its bytes.
     *
     * @param target room for all of the chunk's decoded bytes from {@code start} on
     * @return null if they are there and right; else why not, as one word for a counter
     */
    String copyOut(int number, byte[] target, int start) throws InterruptedException {
        DecodePlan plan = plans.get(number);
        Place place = places.get(number);
        if (lease != null && place.firstBlock < place.blockLimit) {
            if (!lease.await()) {
                return lease.failure();
            }
            if (!job.isSound(place.firstBlock, place.blockLimit)) {
                return "block-refused";
            }
            if (!hashesMatch(plan, place)) {
                return CHECKSUM;
            }
            if (!lease.read(output -> copyBlocks(plan, output, place.outputAt, target, start))) {
                return lease.failure();
            }
        }
        copyStored(plan, chunks.get(number).bytesView(), target, start);
        return place.firstContent >= 0 || hashesMatch(plan, target, start) ? null : CHECKSUM;
    }

    /** Compares what the device hashed. */
    private boolean hashesMatch(DecodePlan plan, Place place) {
        if (place.firstContent >= 0) {
            int index = place.firstContent;
            for (Content content : plan.contents()) {
                if (!content.matches(job.contentHash(index++))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Hashes on this thread what stored bodies are part of: a device has none of their bytes. */
    private static boolean hashesMatch(DecodePlan plan, byte[] raw, int start) {
        for (Content content : plan.contents()) {
            if (!content.matches(HostHash.xxHash32(raw, start + content.at(), content.bytes(), content.seed()))) {
                return false;
            }
        }
        return true;
    }

    /** Copies runs of blocks in one go. */
    private static void copyBlocks(DecodePlan plan, ByteBuffer output, int outputAt, byte[] target, int start) {
        int runAt = 0;
        int at = 0;
        for (Body body : plan.bodies()) {
            if (body.stored()) {
                copyRun(output, outputAt, target, start, runAt, at);
                runAt = at + body.rawBytes();
            }
            at += body.rawBytes();
        }
        copyRun(output, outputAt, target, start, runAt, at);
    }

    /** Behind the last block, where stored bodies may follow, there is no output. */
    private static void copyRun(ByteBuffer output, int outputAt, byte[] target, int start, int from, int limit) {
        if (limit > from) {
            output.get(outputAt + from, target, start + from, limit - from);
        }
    }

    private static void copyStored(DecodePlan plan, ByteBuffer bytes, byte[] target, int start) {
        int at = start;
        for (Body body : plan.bodies()) {
            if (body.stored()) {
                bytes.get(body.at(), target, at, body.bytes());
            }
            at += body.rawBytes();
        }
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
