package io.warpcodec.engine.gpu.request;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.DecodePlan;
import io.warpcodec.engine.gpu.block.DecodePlan.Body;
import io.warpcodec.engine.gpu.block.DecodePlan.Content;
import io.warpcodec.engine.gpu.block.HostHash;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Chunks to decode. */
final class GpuDecodeRequest extends GpuRequest {
    // Layout. Input: the bodies that are not stored, one behind the other. Output: the chunks one behind the other,
    // each with all its bodies; the slots of stored bodies stay unused, so that offsets in a chunk and in its output
    // go together. A block of a length that is not known has its slot all the same, as long as it may become.

    private final List<DecodePlan> plans = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();
    private final Bounds bounds;
    private int inputBytes;
    private int rawBytes;

    /**
     * Where a chunk's output begins, its blocks in the job, and the first of its contents there, or -1 if the host
     * hashes them.
     */
    private record Slot(int outputAt, int firstBlock, int blockLimit, int firstContent) {}

    /** How large a request may become. */
    interface Bounds {
        /** Whether a request of so much, and of more than one chunk, is a good one, and a device would admit it. */
        boolean hold(int inputBytes, int rawBytes, int blockCount);
    }

    GpuDecodeRequest(DeviceChoice choice, Bounds bounds) {
        super(choice);
        this.bounds = bounds;
    }

    /** Whether another chunk belongs to this request. */
    boolean canTake(DecodePlan plan) {
        int moreInputBytes = 0;
        for (Body body : plan.bodies()) {
            moreInputBytes += body.stored() ? 0 : aligned(body.inputBytes());
        }
        return plans.isEmpty()
                || bounds.hold(
                        inputBytes + moreInputBytes, rawBytes + plan.rawBytes(), job.entryCount() + plan.blockCount());
    }

    /** A request of the chunks from this one on, so many at most. */
    GpuDecodeRequest rest(int number, int mostChunks) {
        GpuDecodeRequest rest = new GpuDecodeRequest(choice(), bounds);
        int limit = number + Math.min(mostChunks, chunks.size() - number);
        for (int index = number; index < limit; index++) {
            rest.add(chunks.get(index), plans.get(index));
        }
        return rest;
    }

    /** Adds a chunk; its number in this request. */
    int add(Chunk chunk, DecodePlan plan) {
        int firstBlock = job.entryCount();
        int outputAt = rawBytes;
        for (Body body : plan.bodies()) {
            if (!body.stored()) {
                job.add(inputBytes, body.inputBytes(), rawBytes, body.rawBytes());
                inputBytes += aligned(body.inputBytes());
            }
            rawBytes += body.rawBytes();
        }
        plans.add(plan);
        int firstContent = -1;
        if (plan.isAllBlocks()) {
            firstContent = job.contentCount();
            for (Content content : plan.contents()) {
                job.addContent(outputAt + content.at(), content.bytes(), content.seed());
            }
        }
        slots.add(new Slot(outputAt, firstBlock, job.entryCount(), firstContent));
        return added(chunk);
    }

    @Override
    int rawBytes() {
        return rawBytes;
    }

    @Override
    int mostRawBytes(int number) {
        return plans.get(number).rawBytes();
    }

    /**
     * What a chunk decodes to, in bytes; where that {@linkplain #isUpTo was not known before}, once it was verified.
     */
    int rawBytes(int number) {
        return isUpTo(number) ? result(number).outputBytes() : plans.get(number).rawBytes();
    }

    /** Whether only the device's answer says how long a chunk is. */
    boolean isUpTo(int number) {
        return plans.get(number).isUpTo();
    }

    private BlockResult result(int number) {
        return job.result(slots.get(number).firstBlock);
    }

    @Override
    int inputBytes() {
        return inputBytes;
    }

    @Override
    int outputBytes() {
        return job.outputLimit();
    }

    @Override
    void fill(ByteBuffer input) {
        int block = 0;
        for (int index = 0; index < chunks.size(); index++) {
            ByteBuffer bytes = chunks.get(index).bytesView();
            for (Body body : plans.get(index).bodies()) {
                if (!body.stored()) {
                    int at = job.inputAt(block++);
                    if (body.preamble() != null) {
                        input.put(at, body.preamble());
                    }
                    input.put(at + body.inputBytes() - body.bytes(), bytes, body.at(), body.bytes());
                }
            }
        }
    }

    /** Whether no byte of a chunk comes from its container, so that all is known about it before it is copied. */
    boolean isVerifiedByDevice(int number) {
        return plans.get(number).isAllBlocks();
    }

    /** Waits for a chunk: null if its blocks are there and right, else why not. */
    FallbackReason verify(int number) throws InterruptedException {
        DecodePlan plan = plans.get(number);
        Slot slot = slots.get(number);
        FallbackReason refusal = await();
        if (refusal != null) {
            return refusal;
        }
        if (plan.isUpTo()) {
            return switch (result(number).status()) {
                case SOUND, EXPANDS ->
                    result(number).outputBytes() > 0 && result(number).outputBytes() <= plan.rawBytes()
                            ? null
                            : FallbackReason.BLOCK_REFUSED;
                case BAD_CHECKSUM -> FallbackReason.CHECKSUM;
                default -> FallbackReason.BLOCK_REFUSED;
            };
        }
        if (!job.isSound(slot.firstBlock, slot.blockLimit)) {
            return FallbackReason.BLOCK_REFUSED;
        }
        return hashesMatch(plan, slot) ? null : FallbackReason.CHECKSUM;
    }

    /** What takes the last step of decoding of a verified chunk; null if the device has taken it. */
    DecodePlan.Expansion expansion(int number) {
        return isUpTo(number) && !result(number).isSound() ? plans.get(number).expansion() : null;
    }

    /**
     * Copies a part of a chunk that has only blocks and was verified to a buffer's position, which moves; null, or
     * why the results are gone.
     */
    FallbackReason copyPart(int number, int from, ByteBuffer target, int bytes) {
        int at = slots.get(number).outputAt + from;
        return read(output -> target.put(output.slice(at, bytes)));
    }

    /**
     * Waits for a chunk and copies its bytes.
     *
     * @param target space for all of the chunk's decoded bytes from {@code start} on
     * @return null if they are there and right; else why not
     */
    FallbackReason copyOut(int number, byte[] target, int start) throws InterruptedException {
        DecodePlan plan = plans.get(number);
        Slot slot = slots.get(number);
        FallbackReason refusal = verify(number);
        if (refusal == null && plan.isUpTo()) {
            return copyPart(number, 0, ByteBuffer.wrap(target, start, target.length - start), rawBytes(number));
        }
        if (refusal == null && slot.firstBlock < slot.blockLimit) {
            refusal = read(output -> copyBlocks(plan, output, slot.outputAt, target, start));
        }
        if (refusal != null) {
            return refusal;
        }
        copyStored(plan, chunks.get(number).bytesView(), target, start);
        return slot.firstContent >= 0 || hashesMatch(plan, target, start) ? null : FallbackReason.CHECKSUM;
    }

    /** Compares what the device hashed. */
    private boolean hashesMatch(DecodePlan plan, Slot slot) {
        if (slot.firstContent >= 0) {
            int index = slot.firstContent;
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
}
