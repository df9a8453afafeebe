package io.warpcodec.cli;

import io.warpcodec.cli.file.CountedInput;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/** A progress bar on the terminal for work that takes longer than a second; none in a pipe. */
final class ProgressMeter implements AutoCloseable {

    private static final long PATIENCE_NANOS = 1_000_000_000;
    private static final int WIDTH = 78;
    private static final long MEBIBYTE = 1 << 20;

    private final String name;
    private final LongSupplier doneBytes;
    private final long totalBytes;
    private final long startNanos = System.nanoTime();
    private ProgressBar bar;

    ProgressMeter(String name, CountedInput input) {
        this(name, input::offset, input.totalBytes());
    }

    ProgressMeter(String name, LongSupplier doneBytes, long totalBytes) {
        this.name = name;
        this.doneBytes = doneBytes;
        this.totalBytes = totalBytes;
    }

    /** To be called now and then. */
    void update() {
        if (bar != null) {
            bar.stepTo(doneBytes.getAsLong());
        } else if (Terminal.isWatched() && System.nanoTime() - startNanos > PATIENCE_NANOS) {
            bar = new ProgressBarBuilder()
                    .setTaskName(name)
                    .setInitialMax(totalBytes)
                    .setUnit(" MiB", MEBIBYTE)
                    .setUpdateIntervalMillis(200)
                    .setConsumer(new ConsoleProgressBarConsumer(Terminal.err(), WIDTH))
                    .build();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
