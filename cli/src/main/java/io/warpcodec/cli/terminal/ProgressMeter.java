package io.warpcodec.cli.terminal;

import io.warpcodec.cli.file.CountedInput;
import java.io.PrintStream;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * One line on the terminal for work that takes longer than a second: how much is done, how fast, and how long the
 * rest will take. It goes when the work ends. There is none in a pipe and none with {@code -q}.
 */
public final class ProgressMeter implements AutoCloseable {

    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final int WIDTH = 79;
    private static final String ERASE_TO_END = "\u001b[K";
    private static final long MEGABYTE = 1_000_000;

    private final SpeechOption speech;
    private final String name;
    private final LongSupplier doneBytes;
    private final long totalBytes;
    private final Duration delay;
    private final long startNanos = System.nanoTime();
    private ProgressBar bar;
    private Line line;
    private boolean closed;

    /** Progress by how far an input of this name has been read. */
    public ProgressMeter(SpeechOption speech, String name, CountedInput input) {
        this(speech, name, input::offset, input.totalBytes());
    }

    /** @param totalBytes what {@code doneBytes} comes to, or {@link CountedInput#UNKNOWN} */
    public ProgressMeter(SpeechOption speech, String name, LongSupplier doneBytes, long totalBytes) {
        this(speech, name, doneBytes, totalBytes, DELAY);
    }

    ProgressMeter(SpeechOption speech, String name, LongSupplier doneBytes, long totalBytes, Duration delay) {
        this.speech = speech;
        this.name = name;
        this.doneBytes = doneBytes;
        this.totalBytes = totalBytes;
        this.delay = delay;
    }

    /** To be called now and then. */
    public void update() {
        if (bar != null) {
            bar.stepTo(doneBytes.getAsLong());
            return;
        }
        Duration elapsed = Duration.ofNanos(System.nanoTime() - startNanos);
        if (!closed && speech.showsProgress() && elapsed.compareTo(delay) >= 0) {
            line = new Line(Terminal.err());
            bar = new ProgressBarBuilder()
                    .setTaskName(name)
                    .setInitialMax(totalBytes)
                    .setUnit(" MB", MEGABYTE)
                    .showSpeed(new DecimalFormat("0.0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
                    .startsFrom(doneBytes.getAsLong(), elapsed)
                    .setUpdateIntervalMillis(200)
                    .setConsumer(line)
                    .setStyle(ProgressBarStyle.ASCII)
                    .build();
        }
    }

    /** Takes the line away. Idempotent. */
    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            // the library's own way leaves the line where it was drawn for the first time by this
            line.clear();
            bar = null;
            closed = true;
        }
    }

    /** One line of a screen. */
    private record Line(PrintStream screen) implements ProgressBarConsumer {

        @Override
        public int getMaxRenderedLength() {
            return WIDTH;
        }

        @Override
        public void accept(String text) {
            screen.print("\r" + text + ERASE_TO_END);
            screen.flush();
        }

        @Override
        public void clear() {
            accept("");
        }

        @Override
        public void close() {}
    }
}
