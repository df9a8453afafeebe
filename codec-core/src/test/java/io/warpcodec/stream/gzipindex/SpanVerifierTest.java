package io.warpcodec.stream.gzipindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Engines;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.Thread.State;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index verified by several threads, where a worker fails or the caller is told to stop. */
class SpanVerifierTest {
    private static final int LEAST_SPANS = 20;
    private static final int NONE_IS_BAD = -1;

    private byte[] file;
    private byte[] index;
    /** Streams that were opened, and those of them that are open still. */
    private final AtomicInteger opened = new AtomicInteger();

    private final AtomicInteger open = new AtomicInteger();
    /** Sound streams give no byte before. */
    private final CountDownLatch mayRead = new CountDownLatch(1);

    private volatile Thread failing;

    @BeforeEach
    void make() throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink)) {
            out.write(StreamRig.noise(1_500_000, 9));
        }
        file = sink.toByteArray();
        index = GzipIndexer.index(() -> new ByteArrayInputStream(file), 20_000);
        byte[] table = Arrays.copyOf(index, GzipIndex.tableBytes(index, index.length));
        assertThat(GzipIndex.parse(table, index.length).count()).isGreaterThan(LEAST_SPANS);
    }

    /** Opens the next stream; the one of this number is bad, and lets the others be read when it is closed. */
    private InputStream open(int badNumber) {
        boolean isBad = opened.getAndIncrement() == badNumber;
        open.incrementAndGet();
        return new ByteArrayInputStream(isBad ? damaged() : file) {
            @Override
            public int read(byte[] target, int start, int length) {
                if (!isBad) {
                    await();
                }
                return super.read(target, start, length);
            }

            @Override
            public void close() {
                open.decrementAndGet();
                if (isBad) {
                    failing = Thread.currentThread();
                    mayRead.countDown();
                }
            }
        };
    }

    /** A worker that fails has done so when its thread waits for other work, or has ended. */
    private void await() {
        try {
            mayRead.await();
            while (failing != null && failing.getState() != State.WAITING && failing.getState() != State.TERMINATED) {
                Thread.sleep(1);
            }
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private byte[] damaged() {
        byte[] bad = file.clone();
        for (int at = 1000; at < bad.length; at += 1000) {
            bad[at] ^= 1;
        }
        return bad;
    }

    private SpanVerifier verifier(int badNumber) throws IOException {
        return new SpanVerifier(Engines.selector(), () -> open(badNumber), index);
    }

    @Test
    void allSpansAreReadOnce() throws IOException {
        mayRead.countDown();
        verifier(NONE_IS_BAD).verify(3);
        assertThat(opened.get()).isGreaterThan(LEAST_SPANS);
        assertThat(open.get()).isZero();
    }

    /**
     * Whichever it is: the caller waits for the workers one after the other, and the second may fail while it waits
     * for the first. Which worker opens which stream is not decided here, so each is tried several times.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1})
    void whenOneFailsNoOtherSpanIsBegunAndNoneIsReadBehindTheCallersBack(int badNumber) throws IOException {
        SpanVerifier verifier = verifier(badNumber);
        assertThatThrownBy(() -> verifier.verify(2)).isInstanceOf(IOException.class);
        assertThat(open.get()).isZero();
        assertThat(opened.get()).as("as many as there are workers").isLessThanOrEqualTo(2);
    }

    @Test
    void anInterruptedCallerDoesNotWait() throws IOException {
        SpanVerifier verifier = verifier(NONE_IS_BAD);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> verifier.verify(2)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(opened.get()).as("as many as there are workers").isLessThanOrEqualTo(2);
        mayRead.countDown();
    }
}
