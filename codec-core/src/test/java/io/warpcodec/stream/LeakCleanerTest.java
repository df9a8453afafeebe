package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Engines;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.CrankyEngine;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.cpu.CpuEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A stream that is dropped open costs no memory while the cleaner's thread is busy, unless an accelerator's memory is
 * in it.
 */
class LeakCleanerTest {
    private static final CodecOptions AUTO = CodecOptions.DEFAULTS.withMode(Mode.AUTO);
    private static final byte[] RAW = StreamRig.text(3000, 1);

    private final CountDownLatch cleanerIsHeld = new CountDownLatch(1);
    private final CountDownLatch cleanerMayGoOn = new CountDownLatch(1);

    /** Stops the cleaner's thread inside an action, as a busy machine does by giving it no time. */
    @BeforeEach
    void holdTheCleaner() throws Exception {
        dropHolder();
        for (int i = 0; i < 1000 && cleanerIsHeld.getCount() > 0; i++) {
            System.gc();
            cleanerIsHeld.await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(cleanerIsHeld.getCount()).as("the cleaner's thread is held").isZero();
    }

    private void dropHolder() {
        LeakCleaner holding = new LeakCleaner();
        Engines.install(new CrankyEngine(new CpuEngine(), 1).selector());
        holding.watched(new Object(), Engines.selector(), AUTO).accelerator(AUTO);
        holding.releasedBy(() -> {
            cleanerIsHeld.countDown();
            awaitQuietly(cleanerMayGoOn);
        });
    }

    @AfterEach
    void letTheCleanerGoOn() {
        cleanerMayGoOn.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What may be dropped open, each used a little. */
    private enum Dropped {
        READER {
            @Override
            void use(Format format, byte[] file) throws IOException {
                new ChunkedInputStream(new ByteArrayInputStream(file), format, AUTO).read();
            }
        },
        WRITER {
            @Override
            void use(Format format, byte[] file) throws IOException {
                new ChunkedOutputStream(OutputStream.nullOutputStream(), format, AUTO).write(RAW);
            }
        },
        PUSHED_DECODER {
            @Override
            void use(Format format, byte[] file) throws IOException {
                PushDecoder decoder = new PushDecoder(format, AUTO);
                decoder.setInput(file, 0, file.length);
                decoder.decode(new byte[10], 0, 10);
            }
        },
        PUSHED_ENCODER {
            @Override
            void use(Format format, byte[] file) throws IOException {
                PushEncoder encoder = new PushEncoder(format, AUTO);
                encoder.setInput(RAW, 0, RAW.length);
                encoder.encode(new byte[10], 0, 10);
            }
        };

        abstract void use(Format format, byte[] file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource
    void whatMetNoAcceleratorIsGarbageAtOnce(Dropped dropped) throws IOException {
        Engines.installAccelerator(null);
        List<WeakReference<byte[]>> memory = new ArrayList<>();
        for (Format format : Format.values()) {
            byte[] file = new StreamRig(format, AUTO).write(RAW);
            Engines.install(Engines.selector().withCpu(new RememberingLeases(memory)));
            for (int i = 0; i < 20; i++) {
                dropped.use(format, file);
            }
            Engines.install(null);
        }
        assertThat(memory).hasSizeGreaterThanOrEqualTo(20 * Format.values().length);
        System.gc();
        // the last one may still be seen from this thread's stack
        assertThat(memory.stream().filter(each -> each.get() != null).count()).isLessThan(5);
    }

    /** Remembers all memory that streams were lent. */
    private static final class RememberingLeases extends ForwardingEngine {
        private final List<WeakReference<byte[]>> memory;

        RememberingLeases(List<WeakReference<byte[]>> memory) {
            this.memory = memory;
        }

        @Override
        public Lease lease(int bytes, String owner) {
            byte[] array = new byte[bytes];
            memory.add(new WeakReference<>(array));
            return new Lease(ByteBuffer.wrap(array), owner, () -> {});
        }
    }

    /** As a stream that was opened before its process had started devices. */
    @Test
    void whatMeetsTheAcceleratorLateIsReleasedToo() throws Exception {
        cleanerMayGoOn.countDown();
        CountDownLatch released = new CountDownLatch(1);
        meetLateAndDrop(released);
        for (int i = 0; i < 1000 && released.getCount() > 0; i++) {
            System.gc();
            released.await(10, TimeUnit.MILLISECONDS);
        }
        assertThat(released.getCount()).isZero();
    }

    private static void meetLateAndDrop(CountDownLatch released) {
        LeakCleaner cleaner = new LeakCleaner();
        Engines.install(new CrankyEngine(new CpuEngine(), 1).selector());
        EngineSelector engines = cleaner.watched(new Object(), Engines.selector(), AUTO);
        cleaner.releasedBy(released::countDown);
        assertThat(engines.accelerator(AUTO)).isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatMetTheAcceleratorIsReleasedByTheCleaner(Format format) throws Exception {
        CrankyEngine cranky = new CrankyEngine(new CpuEngine(), 1);
        Engines.install(cranky.selector());
        byte[] file = new StreamRig(format, AUTO).write(RAW);
        for (int i = 0; i < 20; i++) {
            InputStream dropped = new ChunkedInputStream(new ByteArrayInputStream(file), format, AUTO);
            assertThat(dropped.read()).isEqualTo(RAW[0]);
        }
        assertThat(cranky.lentLeases()).isNotEmpty();
        cleanerMayGoOn.countDown();
        for (int i = 0; i < 1000 && cranky.lentLeases().size() > 2; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(cranky.lentLeases()).hasSizeLessThan(3);
    }
}
