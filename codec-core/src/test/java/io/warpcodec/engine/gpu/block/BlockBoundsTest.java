package io.warpcodec.engine.gpu.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Direction;
import io.warpcodec.device.lease.InputBytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Orders of block jobs from other processes: what holds is read as it was written, what does not is refused. */
class BlockBoundsTest {
    private static final int INPUT_BYTES = 1000;
    private static final int OUTPUT_BYTES = 2000;
    private static final BlockBounds BOUNDS = BlockBounds.of(Direction.DECODE, 300, 500)
            .withAtLeast(10, 20)
            .with((inputAt, slotAt, limit) -> limit >= 0 && limit <= slotAt)
            .withHashes();

    private static BlockJob job(Consumer<BlockJob> more) {
        BlockJob job = new BlockJob();
        job.add(0, 300, 0, 500, 0);
        more.accept(job);
        return job;
    }

    private static ByteBuffer order(BlockJob job) {
        ByteBuffer order = ByteBuffer.allocate(job.orderBytes()).order(ByteOrder.LITTLE_ENDIAN);
        job.putOrder(order);
        return order.flip();
    }

    private static BlockJob read(BlockBounds bounds, ByteBuffer order) {
        return bounds.read(order, INPUT_BYTES, OUTPUT_BYTES, InputBytes.of(ByteBuffer.allocate(INPUT_BYTES)));
    }

    private static void refuses(BlockBounds bounds, Consumer<BlockJob> more) {
        assertThatThrownBy(() -> read(bounds, order(job(more)))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anOrderThatHoldsIsReadAsItWasWritten() {
        BlockJob written = job(job -> {
            job.add(304, 200, 700, 400, 700);
            job.addContent(10, 20, -1);
            job.addContent(30, 1970, 7);
        });
        BlockJob read = read(BOUNDS, order(written));
        assertThat(order(read)).isEqualTo(order(written));
        assertThat(read.entryCount()).isEqualTo(2);
        assertThat(read.contentCount()).isEqualTo(2);
        assertThat(read.outputLimit()).isEqualTo(1100);
    }

    @Test
    void blocksKeepToTheInputAndToTheirOrder() {
        refuses(BOUNDS, job -> job.add(990, 11, 700, 400, 0));
        refuses(BOUNDS, job -> job.add(299, 100, 700, 400, 0));
        refuses(BOUNDS, job -> job.add(-1, 100, 700, 400, 0));
        refuses(BOUNDS, job -> job.add(400, -1, 700, 400, 0));
        refuses(BOUNDS, job -> job.add(Integer.MAX_VALUE, 100, 700, 400, 0));
        refuses(BOUNDS, job -> job.add(400, 301, 700, 400, 0));
        refuses(BOUNDS, job -> job.add(400, 9, 700, 400, 0));
    }

    @Test
    void slotsKeepToTheOutputAndAreApart() {
        refuses(BOUNDS, job -> job.add(400, 100, 1601, 400, 0));
        refuses(BOUNDS, job -> job.add(400, 100, 499, 400, 0));
        refuses(BOUNDS, job -> job.add(400, 100, 700, 501, 0));
        refuses(BOUNDS, job -> job.add(400, 100, 700, 19, 0));
        refuses(BOUNDS, job -> job.add(400, 100, 700, Integer.MIN_VALUE, 0));
    }

    @Test
    void limitsReachNothingThatIsNotTheJobs() {
        refuses(BOUNDS, job -> job.add(400, 100, 700, 400, 701));
        refuses(BOUNDS, job -> job.add(400, 100, 700, 400, -1));
        refuses(BlockBounds.of(Direction.DECODE, 300, 500), job -> job.add(400, 100, 700, 400, 1));
    }

    @Test
    void hashesKeepToTheRawBytesAndAreNoMoreThanBlocks() {
        refuses(BOUNDS, job -> job.addContent(1990, 11, 0));
        refuses(BOUNDS, job -> {
            job.addContent(0, 1, 0);
            job.addContent(1, 1, 0);
        });
        refuses(BlockBounds.of(Direction.DECODE, 300, 500), job -> job.addContent(0, 1, 0));
        BlockBounds encoder = BlockBounds.of(Direction.ENCODE, 300, 500).withHashes();
        refuses(encoder, job -> job.addContent(0, INPUT_BYTES + 1, 0));
        assertThat(read(encoder, order(job(job -> job.addContent(0, INPUT_BYTES, 0))))
                        .contentCount())
                .isEqualTo(1);
    }

    @Test
    void whatKernelsNeedAlignedIsAligned() {
        BlockBounds aligned = BlockBounds.of(Direction.DECODE, 300, 500).withAlignment(16);
        refuses(aligned, job -> job.add(312, 100, 704, 400, 0));
        refuses(aligned, job -> job.add(320, 100, 700, 400, 0));
        assertThat(read(aligned, order(job(job -> job.add(320, 100, 704, 400, 0))))
                        .entryCount())
                .isEqualTo(2);
        refuses(BlockBounds.of(Direction.ENCODE, 300, 500), job -> job.add(301, 100, 700, 400, 0));
    }

    @Test
    void anOrderOfAnotherLengthIsRefused() {
        ByteBuffer whole = order(job(job -> job.add(400, 100, 700, 400, 0)));
        for (int bytes = 0; bytes < whole.limit(); bytes++) {
            ByteBuffer cut = whole.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(bytes);
            assertThatThrownBy(() -> read(BOUNDS, cut))
                    .isInstanceOfAny(IllegalArgumentException.class, BufferUnderflowException.class);
        }
        ByteBuffer many = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(0, Integer.MAX_VALUE);
        assertThatThrownBy(() -> read(BOUNDS, many)).isInstanceOf(IllegalArgumentException.class);
        ByteBuffer none = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        assertThatThrownBy(() -> read(BOUNDS, none)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void anAnswerThatDoesNotFitIsRefused() {
        BlockJob job = job(more -> {});
        ByteBuffer answer = ByteBuffer.allocate(job.answerBytes()).order(ByteOrder.LITTLE_ENDIAN);
        new BlockResult(BlockResult.Status.SOUND, 500, 0).put(answer);
        job.takeAnswer(answer.flip());
        assertThat(job.result(0).outputBytes()).isEqualTo(500);
        answer.clear();
        new BlockResult(BlockResult.Status.SOUND, 501, 0).put(answer);
        assertThatThrownBy(() -> job.takeAnswer(answer.flip())).isInstanceOf(IllegalArgumentException.class);
        answer.clear();
        new BlockResult(BlockResult.Status.SOUND, 500, 0, 8 * 500 + 1, 0).put(answer);
        assertThatThrownBy(() -> job.takeAnswer(answer.flip())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> job.takeAnswer(ByteBuffer.allocate(3))).isInstanceOf(BufferUnderflowException.class);
    }
}
