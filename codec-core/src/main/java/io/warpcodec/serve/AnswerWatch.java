package io.warpcodec.serve;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a service answers: asks it again and again, on a thread of its own. Time counts from the first answer on, as
 * the one who looks sees it pass: of a pause of this process, or of its machine, a second. {@link #isSilent} is one
 * thread's.
 */
final class AnswerWatch implements AutoCloseable {
    private static final long MOST_STEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MISSES = 2;
    private static final Logger LOG = LoggerFactory.getLogger(AnswerWatch.class);

    private final Supplier<Question> questions;
    private final long answerNanos;
    private final long pauseMillis;
    private final LongSupplier clock;
    private final Thread thread = new Thread(this::run, "warpcodec probe");
    private volatile long answers;
    private volatile boolean closed;
    private long answersSeen;
    private long lookedNanos;
    private long silentNanos;

    /** What the service is asked, over a connection of its own. */
    interface Question extends AutoCloseable {
        /** Whether it answers within so long. */
        boolean ask(long nanos) throws InterruptedException;

        @Override
        void close();
    }

    /**
     * @param questions makes one; another whenever there was no answer
     * @param answerNanos within which an answer has to come
     * @param pauseMillis between questions
     * @param clock in nanoseconds
     */
    AnswerWatch(Supplier<Question> questions, long answerNanos, long pauseMillis, LongSupplier clock) {
        this.questions = questions;
        this.answerNanos = answerNanos;
        this.pauseMillis = pauseMillis;
        this.clock = clock;
        lookedNanos = clock.getAsLong();
        thread.setDaemon(true);
    }

    AnswerWatch start() {
        thread.start();
        return this;
    }

    private void run() {
        try {
            while (!closed) {
                askUntilSilent();
                Thread.sleep(pauseMillis);
            }
        } catch (InterruptedException closing) {
            LOG.trace("no more questions");
        } catch (RuntimeException | LinkageError failed) {
            // then it is not watched: better than a service that ends for this
            LOG.warn("the service is not watched", failed);
        }
    }

    private void askUntilSilent() throws InterruptedException {
        try (Question question = questions.get()) {
            while (!closed && question.ask(answerNanos)) {
                answered();
                Thread.sleep(pauseMillis);
            }
        }
    }

    /** An answer has come. */
    void answered() {
        answers++;
    }

    /** Whether it has answered once, and then not to two questions running. */
    boolean isSilent() {
        long now = clock.getAsLong();
        long stepNanos = Math.min(now - lookedNanos, MOST_STEP_NANOS);
        lookedNanos = now;
        silentNanos = answers == 0 || answers != answersSeen ? 0 : silentNanos + stepNanos;
        answersSeen = answers;
        return silentNanos > MISSES * answerNanos;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}
