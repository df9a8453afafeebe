package io.warpcodec.engine.gpu.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Sixteen processors, by a clock that the test moves. */
class ProcessorDemandTest {
    private static final int PROCESSORS = 16;
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private long nowNanos = 77 * MILLI;
    private double processNanos;
    private final ProcessorDemand demand = new ProcessorDemand(PROCESSORS, () -> (long) processNanos);

    /** Each of some threads says once that it has work. */
    private void work(int threads) throws InterruptedException {
        for (int thread = 0; thread < threads; thread++) {
            Thread other = new Thread(() -> demand.works(nowNanos));
            other.start();
            other.join();
        }
    }

    /** Time passes in which the process uses so many processors, and is asked often. */
    private double pass(long millis, double used) {
        for (long step = 0; step < millis; step += 5) {
            nowNanos += 5 * MILLI;
            processNanos += used * 5 * MILLI;
            demand.count(nowNanos);
        }
        return demand.count(nowNanos);
    }

    @Test
    void whereNoProcessorIsIdleAllThreadsCount() throws Exception {
        work(40);
        assertThat(demand.count(nowNanos)).as("not known yet").isEqualTo(40);
        assertThat(pass(50, 15)).isEqualTo(40);
        assertThat(pass(200, 15)).as("their work is over").isEqualTo(1);
    }

    @Test
    void whereProcessorsAreIdleWhatIsUsedCountsAndWaits() throws Exception {
        demand.count(nowNanos);
        for (int wait = 0; wait < 200; wait++) {
            demand.waited(25 * MILLI);
            pass(5, 4);
        }
        work(40);
        assertThat(pass(20, 4)).isBetween(8.0, 9.0);
        pass(1000, 4);
        work(40);
        assertThat(pass(20, 4)).as("no thread has waited for a second").isCloseTo(4, within(0.1));
    }

    @Test
    void noMoreCountThanHaveWork() throws Exception {
        demand.count(nowNanos);
        pass(500, 12);
        work(3);
        assertThat(pass(20, 12)).as("others use the processors").isEqualTo(3);
    }

    @Test
    void aWaitCountsForATenthOfASecond() throws Exception {
        demand.count(nowNanos);
        pass(1500, 2);
        work(40);
        demand.waited(1000 * MILLI);
        double first = pass(10, 2);
        double later = pass(70, 2);
        assertThat(first).isBetween(9.0, 12.0);
        assertThat(later - 2).as("half of it is gone").isCloseTo((first - 2) / 2, within(0.3));
    }
}
