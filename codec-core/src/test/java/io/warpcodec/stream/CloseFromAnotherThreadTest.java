package io.warpcodec.stream;

import static io.warpcodec.stream.OtherThread.supply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.engine.CrankyEngine;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.CpuEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams that one thread uses and another one closes, each time in the one order of events that would do harm. */
class CloseFromAnotherThreadTest {
    private static final byte[] RAW = StreamRig.text(60_000, 1);
    private static final byte[] OTHER_RAW = StreamRig.text(60_000, 2);

    static List<StreamRig> rigs() {
        return FailedOutputTest.rigs();
    }

    @AfterEach
    void uninstall() {
        Engines.installAccelerator(null);
    }

    /** Stands still in a read, with the array that it is to fill, and fills it when it is told to. */
    private static final class HeldSource extends InputStream {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch mayFill = new CountDownLatch(1);
        final CountDownLatch filled = new CountDownLatch(1);
        final AtomicInteger reads = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();
        private final InputStream bytes;
        private final int mostBytes;

        HeldSource(byte[] file) {
            this(file, file.length);
        }

        /** @param mostBytes that one read gives */
        HeldSource(byte[] file, int mostBytes) {
            bytes = new ByteArrayInputStream(file);
            this.mostBytes = mostBytes;
        }

        @Override
        public int read() {
            throw new AssertionError("streams read arrays");
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            reads.incrementAndGet();
            inside.countDown();
            OtherThread.await(mayFill);
            int count = bytes.read(target, start, Math.min(length, mostBytes));
            filled.countDown();
            return count;
        }

        @Override
        public int available() throws IOException {
            return bytes.available();
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    /** Has the other source fill its array when its own is filled and not yet decoded. */
    private static final class OvertakenSource extends ByteArrayInputStream {
        private final HeldSource other;

        OvertakenSource(byte[] file, HeldSource other) {
            super(file);
            this.other = other;
        }

        @Override
        public synchronized int read(byte[] target, int start, int length) {
            int count = super.read(target, start, length);
            other.mayFill.countDown();
            OtherThread.await(other.filled);
            return count;
        }
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aStreamNeverGetsTheArrayThatTheReadOfAClosedOneStillFills(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(RAW));
        ChunkedInputStream closed = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<byte[]> reader = supply(() -> closed.readNBytes(RAW.length));
        OtherThread.await(source.inside);
        closed.close();
        InputStream innocent =
                new ChunkedInputStream(new OvertakenSource(rig.write(OTHER_RAW), source), rig.format(), rig.options());
        assertThat(innocent.readAllBytes()).isEqualTo(OTHER_RAW);
        innocent.close();
        assertClosed(reader);
        closed.close();
        assertThat(source.closes).hasValue(1);
        assertThatThrownBy(closed::read).isInstanceOf(IOException.class).hasMessage("stream is closed");
    }

    private static void assertClosed(CompletableFuture<?> call) {
        assertThatThrownBy(call::get).cause().isInstanceOf(IOException.class).hasMessageContaining("closed");
    }

    /** A file's descriptor, closed under a read, may be another file's when the system reads. */
    @ParameterizedTest
    @MethodSource("rigs")
    void whatASourceGivesWhileItIsClosedIsNotDelivered(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(OTHER_RAW));
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<Integer> reader = supply(() -> in.read(new byte[RAW.length]));
        OtherThread.await(source.inside);
        in.close();
        source.mayFill.countDown();
        assertClosed(reader);
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aSourceIsClosedBehindTheReadThatIsInIt(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(RAW));
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<Integer> reader = supply(() -> in.read(new byte[RAW.length]));
        OtherThread.await(source.inside);
        in.close();
        assertThat(source.closes).hasValue(0);
        source.mayFill.countDown();
        assertClosed(reader);
        assertThat(source.closes).hasValue(1);
    }

    /** A second read might never end, and nothing would be left to end it. */
    @ParameterizedTest
    @MethodSource("rigs")
    void aCallThatNeedsMoreDoesNotReadAgainOnceItsStreamIsClosed(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(RAW), 10);
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<Integer> reader = supply(() -> in.read(new byte[RAW.length]));
        OtherThread.await(source.inside);
        in.close();
        source.mayFill.countDown();
        assertClosed(reader);
        assertThat(source.reads).hasValue(1);
        assertThat(source.closes).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aSourceIsClosedBehindTheRestartThatForgetsIt(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(RAW));
        source.mayFill.countDown();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Engines.install(Engines.selector().withCpu(new ForwardingEngine() {
            @Override
            public Lease lease(int bytes, String owner) {
                return new Lease(ByteBuffer.allocate(bytes), owner, () -> {
                    inside.countDown();
                    OtherThread.await(mayGoOn);
                });
            }
        }));
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<Void> reader = supply(() -> {
            in.read();
            in.restart();
            return null;
        });
        OtherThread.await(inside);
        in.close();
        assertThat(source.closes).hasValue(0);
        mayGoOn.countDown();
        reader.handle((done, thrown) -> null).join();
        assertThat(source.closes).hasValue(1);
    }

    /** A seek may take long, as in a file that is far away. */
    @Test
    void aSourceIsClosedBehindTheSeekThatIsInIt() throws Exception {
        StreamRig rig = new StreamRig(Format.BZIP2, CodecOptions.DEFAULTS);
        HeldSource source = new HeldSource(rig.write(RAW));
        source.mayFill.countDown();
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        SplitRange split = new SplitRange(100, 200, offset -> {
            inside.countDown();
            OtherThread.await(mayGoOn);
        });
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options(), split);
        CompletableFuture<Long> reader = supply(in::position);
        OtherThread.await(inside);
        in.close();
        assertThat(source.closes).hasValue(0);
        mayGoOn.countDown();
        assertClosed(reader);
        assertThat(source.closes).hasValue(1);
    }

    /** As a connection that nothing comes from. */
    @Test
    void aSourceThatOnlyACloseWakesIsClosedUnderItsRead() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        AtomicInteger closes = new AtomicInteger();
        InputStream source = new InputStream() {
            @Override
            public int read() throws IOException {
                inside.countDown();
                OtherThread.await(closed);
                throw new IOException("socket closed");
            }

            @Override
            public void close() {
                closes.incrementAndGet();
                closed.countDown();
            }
        };
        StreamRig rig = rigs().get(0);
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<Integer> reader = supply(in::read);
        OtherThread.await(inside);
        in.close();
        assertClosed(reader);
        assertThat(closes).hasValue(1);
    }

    /** However long the call is busy when it has what it read: nothing else closes the source before it. */
    @Test
    void aCallThatIsBusyForLongClosesItsSourceItself() throws Exception {
        StreamRig rig = rigs().get(0);
        HeldSource source = new HeldSource(rig.write(RAW));
        HeldEngine busy = new HeldEngine();
        Engines.installAccelerator(busy);
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<Integer> reader = supply(() -> in.read(new byte[RAW.length]));
        OtherThread.await(source.inside);
        in.close();
        source.mayFill.countDown();
        OtherThread.await(busy.inside);
        Thread.sleep(GuardedSource.GRACE_MILLIS * 3 / 2);
        assertThat(source.closes).hasValue(0);
        busy.mayGoOn.countDown();
        assertClosed(reader);
        assertThat(source.closes).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aReadWhoseSourceEndsBecauseItIsClosedDoesNotReportTheEnd(StreamRig rig) throws Exception {
        byte[] file = rig.write(RAW);
        HeldSource source = new HeldSource(new byte[0]);
        // all of the file, and then a source that says -1 when it is closed
        InputStream twoParts = new SequenceInputStream(new ByteArrayInputStream(file), source);
        ChunkedInputStream in = new ChunkedInputStream(twoParts, rig.format(), rig.options());
        CompletableFuture<byte[]> reader = supply(in::readAllBytes);
        CompletableFuture<Void> closer = CompletableFuture.runAsync(() -> {
            OtherThread.await(source.inside);
            try {
                in.close();
            } catch (IOException thrown) {
                throw new IllegalStateException(thrown);
            } finally {
                source.mayFill.countDown();
            }
        });
        assertThatThrownBy(reader::get).cause().isInstanceOf(IOException.class).hasMessageContaining("closed");
        closer.join();
        assertThat(source.closes.get()).isPositive();
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void theThreadInsideAReadGivesTheLeasesBack(StreamRig rig) throws Exception {
        CrankyEngine cranky = new CrankyEngine(new CpuEngine(), 4);
        Engines.install(cranky.selector());
        byte[] file = rig.write(RAW);
        awaitNothingLent(cranky);
        HeldSource source = new HeldSource(file);
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<byte[]> reader = supply(in::readAllBytes);
        OtherThread.await(source.inside);
        int lent = cranky.lentLeases().size();
        in.close();
        assertThat(cranky.lentLeases()).as("while the thread is inside").hasSize(lent);
        source.mayFill.countDown();
        assertThatThrownBy(reader::get).cause().isInstanceOf(IOException.class);
        awaitNothingLent(cranky);
    }

    private static void awaitNothingLent(CrankyEngine cranky) {
        while (!cranky.lentLeases().isEmpty()) {
            // what is in work is given back when its work ends
            Thread.onSpinWait();
        }
    }

    /** Stands still in its first write of an array and looks at it again when it goes on. */
    private static final class HeldSink extends OutputStream {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final AtomicInteger closes = new AtomicInteger();
        final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final int holdFromBytes;
        volatile boolean changed;
        private boolean held;

        HeldSink(int holdFromBytes) {
            this.holdFromBytes = holdFromBytes;
        }

        @Override
        public void write(int value) {
            throw new AssertionError("streams write arrays");
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            if (length >= holdFromBytes && !held) {
                held = true;
                byte[] before = Arrays.copyOfRange(bytes, start, start + length);
                inside.countDown();
                OtherThread.await(mayGoOn);
                changed = !Arrays.equals(before, 0, length, bytes, start, start + length);
            }
            taken.write(bytes, start, length);
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aWriteThatIsGoingOnKeepsItsArraysAndAClosedStreamIsNoWholeOne(StreamRig rig) throws Exception {
        HeldSink sink = new HeldSink(500);
        ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
        CompletableFuture<Void> writer = supply(() -> {
            out.write(RAW);
            out.finish();
            return null;
        });
        OtherThread.await(sink.inside);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("has no end");
        assertThat(sink.closes).hasValue(0);
        for (int i = 0; i < 3; i++) {
            assertThat(rig.read(rig.write(OTHER_RAW))).isEqualTo(OTHER_RAW);
        }
        sink.mayGoOn.countDown();
        assertThatThrownBy(writer::get).cause().isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThat(sink.changed).as("bytes of another stream").isFalse();
        assertThatThrownBy(() -> rig.read(sink.taken.toByteArray())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class).hasMessage("stream is closed");
        assertThat(sink.closes).hasValue(1);
        out.close();
        assertThat(sink.closes).hasValue(1);
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void theThreadInsideAWriteGivesTheLeasesBack(StreamRig rig) throws Exception {
        HeldEngine engine = HeldEngine.installed();
        engine.mayGoOn.countDown();
        HeldSink sink = new HeldSink(500);
        ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
        CompletableFuture<Void> writer = supply(() -> {
            out.write(RAW);
            out.finish();
            return null;
        });
        OtherThread.await(sink.inside);
        int lent = engine.lent.get();
        assertThat(lent).isPositive();
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        assertThat(engine.lent).as("while the thread is inside").hasValue(lent);
        sink.mayGoOn.countDown();
        assertClosed(writer);
        assertThat(engine.lent).hasValue(0);
    }

    /**
     * However long it takes: what closes the sink before the call leaves it could do so before the torn end is there.
     */
    @Test
    void aSinkIsTouchedOnlyByTheCallThatIsInIt() throws Exception {
        StreamRig rig = rigs().get(0);
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        AtomicInteger closes = new AtomicInteger();
        ByteArrayOutputStream sink = new ByteArrayOutputStream() {
            @Override
            public void write(byte[] bytes, int start, int length) {
                threads.add(Thread.currentThread());
                super.write(bytes, start, length);
            }

            @Override
            public void flush() {
                inside.countDown();
                OtherThread.await(mayGoOn);
            }

            @Override
            public void close() {
                threads.add(Thread.currentThread());
                closes.incrementAndGet();
            }
        };
        ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
        CompletableFuture<Void> writer = supply(() -> {
            out.write(RAW);
            out.flush();
            return null;
        });
        OtherThread.await(inside);
        assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("has no end");
        Thread.sleep(GuardedSource.GRACE_MILLIS * 3 / 2);
        mayGoOn.countDown();
        assertClosed(writer);
        assertThat(closes).hasValue(1);
        assertThat(threads).hasSize(1);
        assertThatThrownBy(() -> rig.read(sink.toByteArray())).isInstanceOf(IOException.class);
    }

    /** The sink fails with so many bytes of a unit missing as a torn end between units has. */
    @ParameterizedTest
    @MethodSource("rigs")
    void aTornEndCompletesNoUnitThatTheSinkHasAPartOf(StreamRig rig) throws Exception {
        byte[] raw = new byte[20_000];
        new Random(3).nextBytes(raw);
        for (int missing = 1; missing <= 70; missing++) {
            PartSink sink = new PartSink(missing);
            ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
            CompletableFuture<Void> writer = supply(() -> {
                out.write(raw);
                out.finish();
                return null;
            });
            OtherThread.await(sink.inside);
            assertThatThrownBy(out::close).isInstanceOf(IOException.class).hasMessageContaining("has no end");
            sink.mayGoOn.countDown();
            assertClosed(writer);
            assertThatThrownBy(() -> rig.read(sink.toByteArray()))
                    .as("%d bytes missing", missing)
                    .isInstanceOf(IOException.class);
        }
    }

    /**
     * Takes a large array but for its last bytes, and fails with that, when it is told to go on; takes all that comes
     * then.
     */
    private static final class PartSink extends ByteArrayOutputStream {
        final CountDownLatch inside = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final int missing;
        private boolean failed;

        PartSink(int missing) {
            this.missing = missing;
        }

        @Override
        public void write(byte[] bytes, int start, int length) {
            if (failed || length < 500) {
                super.write(bytes, start, length);
                return;
            }
            failed = true;
            super.write(bytes, start, length - missing);
            inside.countDown();
            OtherThread.await(mayGoOn);
            throw new UncheckedIOException(new IOException("disk full"));
        }
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aCloseWhileTheStreamIsBeingClosedDoesNothing(StreamRig rig) throws Exception {
        HeldSink sink = new HeldSink(1);
        ChunkedOutputStream out = new ChunkedOutputStream(sink, rig.format(), rig.options());
        out.write(RAW, 0, 1000);
        CompletableFuture<Void> closer = supply(() -> {
            out.close();
            return null;
        });
        OtherThread.await(sink.inside);
        out.close();
        assertThat(sink.closes).hasValue(0);
        sink.mayGoOn.countDown();
        closer.get();
        assertThat(sink.closes).hasValue(1);
        assertThat(rig.read(sink.taken.toByteArray())).isEqualTo(Arrays.copyOf(RAW, 1000));
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aSecondReaderIsRefused(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(RAW));
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        CompletableFuture<byte[]> reader = supply(in::readAllBytes);
        OtherThread.await(source.inside);
        assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessageContaining("in use by another thread");
        source.mayFill.countDown();
        assertThat(reader.get()).isEqualTo(RAW);
        in.close();
    }

    @ParameterizedTest
    @MethodSource("rigs")
    void aSourceIsClosedThoughGivingBackFails(StreamRig rig) throws Exception {
        HeldSource source = new HeldSource(rig.write(RAW));
        source.mayFill.countDown();
        FailingToGiveBack engine = new FailingToGiveBack();
        Engines.install(Engines.selector().withCpu(engine));
        ChunkedInputStream in = new ChunkedInputStream(source, rig.format(), rig.options());
        assertThat(in.read()).isEqualTo(RAW[0]);
        engine.failing = true;
        try {
            in.close();
        } catch (IllegalStateException thrown) {
            assertThat(thrown).hasMessage("a bug in an engine");
        }
        assertThat(source.closes).hasValue(1);
    }

    /** Lends windows, and fails to take them back when it is told to. */
    private static final class FailingToGiveBack extends ForwardingEngine {
        volatile boolean failing;

        @Override
        public Lease lease(int bytes, String owner) {
            return new Lease(ByteBuffer.allocate(bytes), owner, () -> {
                if (failing) {
                    throw new IllegalStateException("a bug in an engine");
                }
            });
        }
    }
}
