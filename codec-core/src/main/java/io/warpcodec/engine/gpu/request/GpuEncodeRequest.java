package io.warpcodec.engine.gpu.request;

import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.block.HostHash;
import io.warpcodec.engine.gpu.choice.DeviceChoice;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Raw chunks to encode. */
final class GpuEncodeRequest extends GpuRequest {
    // Input: the chunks one behind the other, and right before each what its matches may reach: its own copy, or the
    // chunk before where that lies there. Output: a slot for each block, as large as the block may become.

    private final EncodeLayout layout;
    private final Bounds bounds;
    private final List<Slot> slots = new ArrayList<>();
    private int rawBytes;
    private int dearBytes;
    private int inputBytes;
    private int outputBytes;

    /** Where a chunk lies in the input, how many bytes before it are copied with it, and its blocks in the job. */
    private record Slot(int inputAt, int copiedBytes, int firstBlock, int blockLimit, int dearBytes) {}

    /** How much one request may have. */
    @FunctionalInterface
    interface Bounds {
        boolean hold(int inputBytes, int outputBytes, int blockCount);
    }

    GpuEncodeRequest(DeviceChoice choice, EncodeLayout layout, Bounds bounds) {
        super(choice);
        this.layout = layout;
        this.bounds = bounds;
    }

    /**
     * Whether another chunk belongs to this request.
     *
     * @param blocks raw bytes of each of its blocks
     */
    boolean canTake(Chunk chunk, int[] blocks) {
        int mostBytes = 0;
        for (int blockBytes : blocks) {
            mostBytes += aligned(layout.mostBlockBytes(blockBytes));
        }
        return chunks.isEmpty()
                || bounds.hold(
                        inputBytes + aligned(copiedBytes(chunk)) + chunk.bytes(),
                        outputBytes + mostBytes,
                        job.entryCount() + blocks.length);
    }

    /** A request of the same chunks from this one on, so many at most. */
    GpuEncodeRequest rest(int number, int mostChunks) {
        GpuEncodeRequest rest = new GpuEncodeRequest(choice(), layout, bounds);
        int limit = number + Math.min(mostChunks, chunks.size() - number);
        for (int each = number; each < limit; each++) {
            Chunk chunk = chunks.get(each);
            rest.add(chunk, layout.blocks(chunk.bytes()), slots.get(each).dearBytes);
        }
        return rest;
    }

    /** Raw bytes before the chunk that its matches may reach. */
    private int historyBytes(Chunk chunk) {
        return layout.continued() ? chunk.historyBytes() : 0;
    }

    /** How many of them have to be copied: none if the chunk before ends with them, and the input where it ends. */
    private int copiedBytes(Chunk chunk) {
        if (!chunks.isEmpty()) {
            Chunk before = chunks.get(chunks.size() - 1);
            if (before.input() == chunk.input()
                    && before.start() + before.bytes() == chunk.start()
                    && aligned(before.bytes()) == before.bytes()) {
                return 0;
            }
        }
        return historyBytes(chunk);
    }

    /**
     * Adds a chunk; its number in this request.
     *
     * @param blocks raw bytes of each of its blocks
     * @param chunkDearBytes those of its bytes that cost the CPU something
     */
    int add(Chunk chunk, int[] blocks, int chunkDearBytes) {
        int firstBlock = job.entryCount();
        int copiedBytes = copiedBytes(chunk);
        inputBytes += aligned(copiedBytes);
        int blockAt = inputBytes;
        for (int blockBytes : blocks) {
            int mostBytes = layout.mostBlockBytes(blockBytes);
            if (layout.isBits()) {
                job.addText(blockAt, blockBytes, outputBytes, mostBytes, layout.textLimit());
            } else {
                job.addWithWindow(blockAt, blockBytes, outputBytes, mostBytes, historyBytes(chunk));
            }
            blockAt += blockBytes;
            outputBytes += aligned(mostBytes);
        }
        if (layout.hash() != null) {
            job.addContent(inputBytes, chunk.bytes(), layout.hash().seed());
        }
        slots.add(new Slot(inputBytes, copiedBytes, firstBlock, job.entryCount(), chunkDearBytes));
        rawBytes += chunk.bytes();
        dearBytes += chunkDearBytes;
        inputBytes += aligned(chunk.bytes());
        return added(chunk);
    }

    @Override
    int rawBytes() {
        return rawBytes;
    }

    @Override
    int dearBytes() {
        return dearBytes;
    }

    @Override
    int mostRawBytes(int number) {
        return chunks.get(number).bytes();
    }

    @Override
    int dearBytes(int number) {
        return slots.get(number).dearBytes;
    }

    @Override
    int inputBytes() {
        return inputBytes;
    }

    @Override
    int outputBytes() {
        return outputBytes;
    }

    @Override
    void fill(ByteBuffer input) {
        for (int number = 0; number < chunks.size(); number++) {
            Chunk chunk = chunks.get(number);
            Slot slot = slots.get(number);
            int copied = slot.copiedBytes;
            input.put(slot.inputAt - copied, chunk.input().memory(), chunk.start() - copied, copied + chunk.bytes());
        }
    }

    /**
     * Waits for a chunk.
     *
     * @return null if it is encoded; else why not
     */
    FallbackReason await(int number) throws InterruptedException {
        FallbackReason refusal = await();
        if (refusal != null) {
            return refusal;
        }
        Slot slot = slots.get(number);
        for (int block = slot.firstBlock; block < slot.blockLimit; block++) {
            BlockResult.Status status = job.result(block).status();
            boolean storable = status == BlockResult.Status.OUTPUT_EXCEEDED && layout.storedMark() != 0;
            if (status != BlockResult.Status.SOUND && !storable) {
                return FallbackReason.BLOCK_REFUSED;
            }
        }
        return null;
    }

    /** Bits of an encoded chunk's body, lengths included. */
    long bodyBits(int number) {
        Slot slot = slots.get(number);
        if (layout.isBits()) {
            return job.result(slot.firstBlock).outputBits();
        }
        long bytes = 0;
        for (int block = slot.firstBlock; block < slot.blockLimit; block++) {
            bytes += (layout.length() == null ? 0 : EncodeLayout.LENGTH_BYTES) + blockBytes(block);
        }
        return Byte.SIZE * bytes;
    }

    private int blockBytes(int block) {
        BlockResult result = job.result(block);
        return result.isSound() ? result.outputBytes() : job.inputBytes(block);
    }

    /**
     * Lays an encoded chunk's body, from the buffer's position on.
     *
     * @return null, or why the results are gone
     */
    FallbackReason copyBody(int number, ByteBuffer body) {
        Slot slot = slots.get(number);
        if (layout.isBits()) {
            int bytes = (int) ((bodyBits(number) + Byte.SIZE - 1) / Byte.SIZE);
            int at = job.outputAt(slot.firstBlock);
            return read(output -> body.put(body.position(), output, at, bytes).position(body.position() + bytes));
        }
        ByteBuffer raw = chunks.get(number).bytesView();
        return read(output -> {
            for (int block = slot.firstBlock; block < slot.blockLimit; block++) {
                boolean stored = !job.result(block).isSound();
                int bytes = blockBytes(block);
                layout.putLength(body, bytes, stored);
                ByteBuffer from = stored ? raw : output;
                int at = stored ? job.inputAt(block) - slot.inputAt : job.outputAt(block);
                body.put(body.position(), from, at, bytes).position(body.position() + bytes);
            }
        });
    }

    /** The checksum of a chunk's raw bytes that its container keeps, 0 if it keeps none. */
    int checksum(int number) {
        if (layout.isBits()) {
            return job.result(slots.get(number).firstBlock).checksum();
        }
        if (layout.continued()) {
            return HostHash.adler32(chunks.get(number).bytesView());
        }
        return layout.hash() == null
                ? 0
                : job.contentHash(number) & layout.hash().mask();
    }
}
