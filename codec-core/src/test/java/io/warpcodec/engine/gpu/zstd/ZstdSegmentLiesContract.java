package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.TestSeed;
import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.pool.OwnPool;
import io.warpcodec.engine.gpu.GpuStreams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Segments whose records lie, as another process may send them: each harms only itself. */
abstract class ZstdSegmentLiesContract {
    private static final int TEXT_BYTES = 1_500_000;
    private static final int[] EDGES = {0, 1, -1, 15, 128, 1 << 16, 1 << 20, 1 << 25, 1 << 30, 1 << 31, 0x7fff_ffff};

    private final Random random = new Random(TestSeed.value());
    private OwnPool pool;
    private ZstdSegmentSample sample;
    private byte[] text;

    abstract OwnPool openPool();

    abstract int lies();

    @BeforeEach
    void open() throws InterruptedException {
        pool = openPool();
        pool.awaitStart(TimeUnit.SECONDS.toNanos(60));
        sample = ZstdSegmentSample.ofText(TEXT_BYTES, TestSeed.value());
        text = GpuStreams.text(TEXT_BYTES, TestSeed.value());
    }

    @AfterEach
    void close() {
        pool.close();
    }

    /** A segment under way. */
    private record Sent(DeviceLease lease, ZstdSegmentJob job) {}

    private Sent send(byte[] input) {
        ZstdSegmentJob job = ZstdSegmentJob.read(ByteBuffer.allocate(0), input.length, sample.outputBytes(), null);
        DeviceLease lease =
                pool.tryLease(ZstdSegmentSample.PROGRAM, input.length, sample.outputBytes(), job.entryCount());
        assertThat(lease).isNotNull();
        assertThat(lease.fill(memory -> memory.put(0, input))).isTrue();
        lease.submit(job);
        return new Sent(lease, job);
    }

    private byte[] lying() {
        byte[] input = sample.input().clone();
        ByteBuffer view = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        int recordBytes = view.getInt(0);
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            int at = random.nextInt(recordBytes / Integer.BYTES) * Integer.BYTES;
            int told = view.getInt(at);
            view.putInt(
                    at,
                    switch (random.nextInt(4)) {
                        case 0 -> told + random.nextInt(64) - 32;
                        case 1 -> EDGES[random.nextInt(EDGES.length)];
                        case 2 -> told ^ 1 << random.nextInt(Integer.SIZE);
                        default -> random.nextInt();
                    });
        }
        for (int count = random.nextInt(3); count > 0; count--) {
            input[recordBytes + random.nextInt(input.length - recordBytes)] = (byte) random.nextInt();
        }
        return input;
    }

    @Test
    void aLyingRecordHarmsOnlyItself() throws Exception {
        int refused = 0;
        for (int i = 0; i < lies(); i++) {
            Sent lie = send(lying());
            Sent sound = send(sample.input());
            try (DeviceLease lying = lie.lease;
                    DeviceLease right = sound.lease) {
                assertThat(lying.await(DeviceLease.WITHOUT_BOUND))
                        .as("lie %d", i)
                        .isTrue();
                assertThat(right.await(DeviceLease.WITHOUT_BOUND))
                        .as("beside lie %d", i)
                        .isTrue();
                refused += lie.job.sound() ? 0 : 1;
                assertThat(lie.job.rawBytes()).isBetween(0, sample.outputBytes() - lie.job.headBytes());
                assertThat(sound.job.sound()).as("beside lie %d", i).isTrue();
                byte[] raw = new byte[sound.job.rawBytes()];
                assertThat(right.read(results -> results.get(sound.job.headBytes(), raw)))
                        .isTrue();
                assertThat(Arrays.mismatch(raw, Arrays.copyOf(text, raw.length)))
                        .as("beside lie %d", i)
                        .isEqualTo(-1);
            }
        }
        assertThat(refused).isGreaterThan(lies() / 2);
    }
}
