package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Engines;
import io.warpcodec.format.gzip.GzipIndex;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An index verified by several threads, one of which fails or is told to stop. */
class SpanVerifierTest {
    private static final int LEAST_SPANS = 20;

    private byte[] file;
    private byte[] index;
    /** Streams that were opened, and those of them that are open still. */
    private final AtomicInteger opened = new AtomicInteger();

    private final AtomicInteger open = new AtomicInteger();

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

    /** The first to be opened is bad if that is not null; the others take their time. */
    private InputStream open(byte[] bad) {
        boolean first = opened.getAndIncrement() == 0;
        open.incrementAndGet();
        return new ByteArrayInputStream(first && bad != null ? bad : file) {
            @Override
            public int read(byte[] target, int start, int length) {
                if (!first) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
                }
                return super.read(target, start, length);
            }

            @Override
            public void close() {
                open.decrementAndGet();
            }
        };
    }

    private SpanVerifier verifier(byte[] bad) throws IOException {
        return new SpanVerifier(Engines.selector(), () -> open(bad), index);
    }

    @Test
    void allSpansAreReadOnce() throws IOException {
        verifier(null).verify(3);
        assertThat(opened.get()).isGreaterThan(LEAST_SPANS);
        assertThat(open.get()).isZero();
    }

    @Test
    void whenOneFailsNobodyTakesAnotherAndNobodyReadsBehindTheCallersBack() throws IOException {
        byte[] bad = file.clone();
        for (int at = 1000; at < bad.length; at += 1000) {
            bad[at] ^= 1;
        }
        SpanVerifier verifier = verifier(bad);
        assertThatThrownBy(() -> verifier.verify(2)).isInstanceOf(IOException.class);
        assertThat(open.get()).isZero();
        assertThat(opened.get()).isLessThan(5);
    }

    @Test
    void anInterruptedCallerDoesNotWait() throws IOException {
        SpanVerifier verifier = verifier(null);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> verifier.verify(2)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(opened.get()).isLessThan(LEAST_SPANS);
    }
}
