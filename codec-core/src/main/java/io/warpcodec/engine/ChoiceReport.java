package io.warpcodec.engine;

import java.util.Locale;

/**
 * Why an accelerator gives work of one kind to a device or to the CPU in mode {@code auto}.
 *
 * @param work {@code decode lz4 hadoop}
 * @param turnaroundNanos what a device takes for work that its thread waits for at once, in nanoseconds
 * @param cpuNanosPerByte what the CPU takes for a raw byte, in nanoseconds
 * @param leastBytes raw bytes of such work from which on a device does it
 */
public record ChoiceReport(String work, double turnaroundNanos, double cpuNanosPerByte, long leastBytes) {
    /** All of it in a line. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%s: waited for at once, a device from %d KiB on (it takes %.2f ms, the CPU %.2f ns a byte)",
                work,
                (leastBytes + 1023) / 1024,
                turnaroundNanos / 1e6,
                cpuNanosPerByte);
    }
}
