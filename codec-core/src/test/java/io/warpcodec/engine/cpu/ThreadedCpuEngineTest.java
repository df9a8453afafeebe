package io.warpcodec.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.LendingEngine;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several threads work, in the order that is asked for, not far ahead, and everything lent comes back. */
class ThreadedCpuEngineTest {
    private static final int THREADS = 2;
    /** A task each. */
    private static final int CHUNK_BYTES = ThreadedCpuEngine.GROUP_BYTES;

    /** What one chunk's work does before it answers with its offset as its only content. */
    private interface Before {
        void run(int index) throws Exception;
    }

    private final AtomicInteger lent = new AtomicInteger();
    private final AtomicInteger started = new AtomicInteger();
    /** Decoded bytes of a chunk. */
    private volatile int rawBytes = Integer.BYTES;
    /** Threads that have decoded, by the chunk's offset. */
    private final Map<Integer, Thread> decodedBy = new ConcurrentHashMap<>();
    /** How many chunks the engine was given in one call. */
    private final List<Integer> groups = Collections.synchronizedList(new ArrayList<>());

    private Lease lease(int bytes) {
        lent.incrementAndGet();
        return new Lease(ByteBuffer.allocate(bytes), "test", lent::decrementAndGet);
    }

    private Engine engine(Before before) {
        return new ThreadedCpuEngine(new OneByOne(before), THREADS);
    }

    /** An engine that works inside {@code take}, as the CPU engine does. */
    private final class OneByOne implements LendingEngine {
        private final Before before;

        OneByOne(Before before) {
            this.before = before;
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            groups.add(chunks.size());
            return new Batch<>() {
                @Override
                public int size() {
                    return chunks.size();
                }

                @Override
                public DecodedChunk take(int at) throws IOException {
                    int index = (int) chunks.get(at).offset();
                    started.incrementAndGet();
                    decodedBy.put(index, Thread.currentThread());
                    try {
                        before.run(index);
                    } catch (IOException failed) {
                        throw failed;
                    } catch (Exception failed) {
                        throw new IllegalStateException(failed);
                    }
                    Lease output = ThreadedCpuEngineTest.this.lease(rawBytes);
                    output.memory().putInt(0, index);
                    return DecodedChunk.done(List.of(new DecodedChunk.Output(output, rawBytes)));
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public String name() {
            return "one by one";
        }

        @Override
        public boolean supports(Format format, Direction direction) {
            return true;
        }

        @Override
        public boolean isAsynchronous() {
            return false;
        }

        @Override
        public Lease lease(int bytes, String owner) {
            return ThreadedCpuEngineTest.this.lease(bytes);
        }

        @Override
        public Batch<EncodedChunk> encode(Format format, CodecOptions options, List<Chunk> chunks) {
            throw new UnsupportedOperationException();
        }

        @Override
        public DecodeSession openSession(Format format, CodecOptions options, long offset) {
            throw new UnsupportedOperationException();
        }
    }

    private List<Chunk> chunks(int count) {
        return chunks(count, CHUNK_BYTES);
    }

    private List<Chunk> chunks(int count, int bytes) {
        List<Chunk> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            chunks.add(chunk(i, bytes, -1));
        }
        return chunks;
    }

    private Chunk chunk(int index, int bytes, int claim) {
        return Chunk.encoded(lease(bytes), 0, bytes, index, claim, null);
    }

    private void takeAll(List<Chunk> chunks) throws Exception {
        try (Batch<DecodedChunk> batch = decode(engine(index -> {}), chunks)) {
            for (int index = 0; index < chunks.size(); index++) {
                assertThat(taken(batch, index)).isEqualTo(index);
            }
        }
        assertAllComesBack(chunks);
    }

    private static Batch<DecodedChunk> decode(Engine engine, List<Chunk> chunks) {
        return engine.decode(Format.GZIP, CodecOptions.DEFAULTS, chunks);
    }

    private static int taken(Batch<DecodedChunk> batch, int index) throws IOException {
        DecodedChunk result = batch.take(index);
        int content = result.outputs().get(0).lease().memory().getInt(0);
        result.release();
        return content;
    }

    private void assertAllComesBack(List<Chunk> chunks) throws InterruptedException {
        chunks.forEach(chunk -> chunk.input().release());
        while (lent.get() > 0) {
            Thread.sleep(1);
        }
        assertThat(lent).hasValue(0);
    }

    @Test
    void twoThreadsWorkAtOnce() throws Exception {
        CyclicBarrier bothAtWork = new CyclicBarrier(THREADS);
        List<Chunk> chunks = chunks(10);
        try (Batch<DecodedChunk> batch = decode(engine(index -> bothAtWork.await(300, TimeUnit.SECONDS)), chunks)) {
            for (int index = 0; index < chunks.size(); index++) {
                assertThat(taken(batch, index)).isEqualTo(index);
            }
        }
        assertAllComesBack(chunks);
    }

    @Test
    void chunksMayBeTakenInAnyOrder() throws Exception {
        List<Chunk> chunks = chunks(50);
        List<Integer> order = new ArrayList<>();
        for (int index = 0; index < chunks.size(); index++) {
            order.add(index);
        }
        Collections.reverse(order);
        try (Batch<DecodedChunk> batch = decode(engine(index -> {}), chunks)) {
            for (int index : order) {
                assertThat(taken(batch, index)).isEqualTo(index);
            }
        }
        assertAllComesBack(chunks);
    }

    @Test
    void workStaysNearTheChunkThatIsTaken() throws Exception {
        int ahead = ThreadedCpuEngine.AHEAD_PER_THREAD * THREADS;
        List<Chunk> chunks = chunks(100);
        try (Batch<DecodedChunk> batch = decode(engine(index -> {}), chunks)) {
            for (int index : new int[] {0, 1, 2}) {
                taken(batch, index);
                Thread.sleep(100);
                assertThat(started.get()).isLessThanOrEqualTo(index + 1 + ahead);
            }
        }
        assertAllComesBack(chunks);
    }

    @Test
    void aFailureIsItsChunksOwn() throws Exception {
        List<Chunk> chunks = chunks(4);
        Engine engine = engine(index -> {
            if (index == 1) {
                throw new IOException("chunk 1");
            }
            if (index == 2) {
                throw new StackOverflowError("chunk 2");
            }
        });
        try (Batch<DecodedChunk> batch = decode(engine, chunks)) {
            assertThat(taken(batch, 0)).isZero();
            assertThatThrownBy(() -> batch.take(1))
                    .isInstanceOf(IOException.class)
                    .hasMessage("chunk 1");
            assertThatThrownBy(() -> batch.take(2)).isInstanceOf(StackOverflowError.class);
            assertThat(taken(batch, 3)).isEqualTo(3);
        }
        assertAllComesBack(chunks);
    }

    @Test
    void aBatchClosedInMidWorkGivesBackEverything() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch atWork = new CountDownLatch(THREADS);
        List<Chunk> chunks = chunks(20);
        Engine engine = engine(index -> {
            if (index > 0) {
                atWork.countDown();
                closed.await();
            }
        });
        Batch<DecodedChunk> batch = decode(engine, chunks);
        assertThat(taken(batch, 0)).isZero();
        atWork.await();
        int startedBefore = started.get();
        batch.close();
        batch.close();
        chunks.forEach(chunk -> chunk.input().release());
        assertThat(lent.get())
                .as("inputs of chunks in work are held")
                .isEqualTo(ThreadedCpuEngine.AHEAD_PER_THREAD * THREADS);
        closed.countDown();
        assertAllComesBack(List.of());
        assertThat(started.get()).as("nothing is begun any more").isEqualTo(startedBefore);
    }

    @Test
    void anInterruptedTakeIsAnIoException() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        List<Chunk> chunks = chunks(2);
        try (Batch<DecodedChunk> batch = decode(engine(index -> over.await()), chunks)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> batch.take(0)).isInstanceOf(java.io.InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
        over.countDown();
        assertAllComesBack(chunks);
    }

    /** A hand-over costs more than a small chunk, and the thread that asks has nothing else to do. */
    @Test
    void aThreadThatWaitsForAChunkAloneDoesItsWork() throws Exception {
        CountDownLatch busy = new CountDownLatch(THREADS);
        CountDownLatch over = new CountDownLatch(1);
        Thread asking = Thread.currentThread();
        AtomicInteger alone = new AtomicInteger();
        Engine engine = engine(index -> {
            if (Thread.currentThread() == asking) {
                alone.incrementAndGet();
            } else {
                busy.countDown();
                over.await();
            }
        });
        List<Chunk> many = chunks(THREADS);
        List<Chunk> one = chunks(1);
        try (Batch<DecodedChunk> others = decode(engine, many)) {
            busy.await();
            try (Batch<DecodedChunk> batch = decode(engine, one)) {
                assertThat(taken(batch, 0)).isZero();
            }
            assertThat(alone.get()).isEqualTo(1);
            over.countDown();
        }
        many.addAll(one);
        assertAllComesBack(many);
    }

    /** 10,000 chunks of a byte would cost 10,000 hand-overs, each more than the chunk. */
    @Test
    void smallNeighboursAreOneTask() throws Exception {
        takeAll(andALargeOne(chunks(100, ThreadedCpuEngine.GROUP_BYTES / 10)));
        assertThat(groups).hasSize(11).containsOnly(10, 1).containsOnlyOnce(1);
    }

    /** With them, the chunks are not small on average. */
    private List<Chunk> andALargeOne(List<Chunk> chunks) {
        List<Chunk> more = new ArrayList<>(chunks);
        more.add(chunk(chunks.size(), 8 << 20, -1));
        return more;
    }

    @Test
    void chunksThatAreSmallOnAverageAreDecodedWhereTheyAreTaken() throws Exception {
        takeAll(chunks(100, ThreadedCpuEngine.LEAST_GROUP_BYTES - 1));
        assertThat(groups).containsExactly(100);
        assertThat(decodedBy.values()).containsOnly(Thread.currentThread());
    }

    @Test
    void aLargeChunkAmongSmallOnesIsATaskOfItsOwn() throws Exception {
        List<Chunk> chunks = List.of(
                chunk(0, 1, -1), chunk(1, 1, -1), chunk(2, 2 * CHUNK_BYTES, -1), chunk(3, 1, -1), chunk(4, 1, -1));
        takeAll(chunks);
        assertThat(groups).containsExactlyInAnyOrder(2, 1, 2);
    }

    @Test
    void chunksThatClaimMuchAreSmallerGroups() throws Exception {
        int bytes = ThreadedCpuEngine.LEAST_GROUP_BYTES / 2;
        int claim = ThreadedCpuEngine.GROUP_CLAIMED_BYTES / 2;
        takeAll(andALargeOne(
                IntStream.range(0, 8).mapToObj(i -> chunk(i, bytes, claim)).toList()));
        assertThat(groups).containsExactlyInAnyOrder(2, 2, 2, 2, 1);
    }

    /** A claim may be false: a chunk of a byte that claims a mebibyte is not worth a hand-over. */
    @Test
    void whatChunksClaimMakesNoGroupTooSmall() throws Exception {
        int least = ThreadedCpuEngine.LEAST_GROUP_BYTES;
        takeAll(andALargeOne(IntStream.range(0, 3 * least)
                .mapToObj(i -> chunk(i, 1, 1 << 20))
                .toList()));
        assertThat(groups).containsExactlyInAnyOrder(least, least, least, 1);
    }

    @Test
    void whatIsSmallerThanAHandOverIsDecodedWhereItIsTaken() throws Exception {
        List<Chunk> chunks = new ArrayList<>(chunks(THREADS));
        chunks.add(chunk(THREADS, ThreadedCpuEngine.LEAST_GROUP_BYTES - 1, -1));
        takeAll(chunks);
        assertThat(decodedBy).containsEntry(THREADS, Thread.currentThread());
        assertThat(decodedBy.get(0)).isNotSameAs(Thread.currentThread());
    }

    @Test
    void whatIsNotHandedOverIsGivenBackUntaken() throws Exception {
        List<Chunk> chunks = new ArrayList<>(chunks(THREADS));
        chunks.add(chunk(THREADS, 1, -1));
        CountDownLatch over = new CountDownLatch(1);
        Batch<DecodedChunk> batch = decode(engine(index -> over.await()), chunks);
        batch.close();
        over.countDown();
        assertAllComesBack(chunks);
        assertThat(decodedBy).doesNotContainKey(THREADS);
    }

    @Test
    void aFailureInsideAGroupIsItsChunksOwn() throws Exception {
        List<Chunk> chunks = andALargeOne(chunks(10, ThreadedCpuEngine.LEAST_GROUP_BYTES / 10));
        Engine engine = engine(index -> {
            if (index == 4) {
                throw new IOException("chunk 4");
            }
        });
        try (Batch<DecodedChunk> batch = decode(engine, chunks)) {
            for (int index = 10; index >= 0; index--) {
                if (index == 4) {
                    assertThatThrownBy(() -> batch.take(4))
                            .isInstanceOf(IOException.class)
                            .hasMessage("chunk 4");
                } else {
                    assertThat(taken(batch, index)).isEqualTo(index);
                }
            }
        }
        assertAllComesBack(chunks);
    }

    @Test
    void aGroupThatGrowsIsDecodedFurtherWhereItIsTaken() throws Exception {
        rawBytes = ThreadedCpuEngine.GROUP_RAW_BYTES / 2;
        int perGroup = 8;
        List<Chunk> chunks = andALargeOne(chunks(4 * perGroup, ThreadedCpuEngine.GROUP_BYTES / perGroup));
        try (Batch<DecodedChunk> batch = decode(engine(index -> {}), chunks)) {
            for (int index = 0; index < 4 * perGroup; index++) {
                assertThat(taken(batch, index)).isEqualTo(index);
                Thread decoder = decodedBy.get(index);
                assertThat(decoder == Thread.currentThread()).isEqualTo(index % perGroup >= 2);
            }
        }
        assertAllComesBack(chunks);
    }

    @Test
    void aBatchClosedWithHalfAGroupTakenGivesBackTheRest() throws Exception {
        List<Chunk> chunks = andALargeOne(chunks(20, ThreadedCpuEngine.GROUP_BYTES / 20));
        try (Batch<DecodedChunk> batch = decode(engine(index -> {}), chunks)) {
            for (int index = 0; index < 10; index++) {
                assertThat(taken(batch, index)).isEqualTo(index);
            }
        }
        assertAllComesBack(chunks);
    }
}
