package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.ServiceReport.Window;
import io.warpcodec.metrics.FallbackReason;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkCountTest {
    private static final long BEGIN = 1_000;
    private static final long FULL = WorkCount.WINDOW_NANOS;

    private final WorkCount count = new WorkCount(BEGIN);

    @Test
    void aWindowIsTheLastFullOneAndBeforeThereIsOneWhatHasPassed() {
        count.over(null, 10, 100, 7);
        count.over(null, 10, 200, 5);
        assertThat(count.window(BEGIN + 50)).isEqualTo(new Window(50, 2, 300, 12, 7));
        count.tick(BEGIN + FULL - 1);
        assertThat(count.window(BEGIN + FULL - 1).nanos()).isEqualTo(FULL - 1);
        count.tick(BEGIN + FULL + 1);
        count.over(FallbackReason.DRIVER_ERROR, 10, 400, 3);
        Window first = new Window(FULL + 1, 2, 300, 12, 7);
        assertThat(count.window(BEGIN + FULL + 30)).isEqualTo(first);
        assertThat(first.meanWaitNanos()).isEqualTo(6);
        assertThat(new Window(FULL, 2, 300, 12, 7).bytesPerSecond()).isEqualTo(30);
        count.tick(BEGIN + 2 * FULL + 1);
        assertThat(count.window(BEGIN + 2 * FULL + 9)).isEqualTo(new Window(FULL, 1, 0, 3, 3));
        count.tick(BEGIN + 3 * FULL + 1);
        assertThat(count.window(BEGIN + 3 * FULL + 1)).isEqualTo(new Window(FULL, 0, 0, 0, 0));
    }

    @Test
    void totalsStayWhenWindowsEnd() {
        for (int piece = 0; piece < 6; piece++) {
            count.received();
        }
        count.over(null, 10, 100, 7);
        count.tick(BEGIN + FULL);
        count.over(null, 20, 100, 2);
        count.over(FallbackReason.OVER_MEMORY, 30, 100, 1);
        count.withdrawn();
        count.dropped(2);
        var work = count.work();
        assertThat(work.received()).isEqualTo(6);
        assertThat(work.done()).isEqualTo(2);
        assertThat(work.failed()).isEqualTo(Map.of("over-memory", 1L));
        assertThat(work.withdrawn()).isEqualTo(1);
        assertThat(work.dropped()).isEqualTo(2);
        assertThat(work.inputBytes()).isEqualTo(30);
        assertThat(work.outputBytes()).isEqualTo(200);
        assertThat(work.waitNanos()).isEqualTo(10);
        assertThat(work.mostWaitNanos()).isEqualTo(7);
    }
}
