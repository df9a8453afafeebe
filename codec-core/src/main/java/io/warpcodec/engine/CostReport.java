package io.warpcodec.engine;

import java.util.Locale;

/**
 * What an accelerator has learned about one kind of work, and how good its predictions were. A line is a fixed time
 * and a time per raw byte, in nanoseconds.
 *
 * @param work {@code decode lz4 hadoop}
 * @param deviceFixedNanos from the queue to the results, on an idle device
 * @param deviceNanosPerByte time on a device for each byte of the request and of what is queued before it
 * @param hostFixedNanos what the asking thread and the device's do for a request that a device does
 * @param hostNanosPerByte time on the host for each byte
 * @param cpuFixedNanos the work done by the CPU engine
 * @param cpuNanosPerByte time on the CPU for each byte
 * @param breakEvenBytes from about this size on an idle device is the cheaper choice for one request; -1 if it never is
 * @param devicePredictions requests whose time on a device was predicted
 * @param deviceErrorPercent median of |predicted - actual| / actual of those; NaN if there were none
 * @param cpuPredictions requests whose time on the CPU was predicted
 * @param cpuErrorPercent the same for those
 */
public record CostReport(
        String work,
        double deviceFixedNanos,
        double deviceNanosPerByte,
        double hostFixedNanos,
        double hostNanosPerByte,
        double cpuFixedNanos,
        double cpuNanosPerByte,
        long breakEvenBytes,
        long devicePredictions,
        double deviceErrorPercent,
        long cpuPredictions,
        double cpuErrorPercent) {

    /** How good the predictions were, in a line. */
    public String summary() {
        return String.format(
                Locale.ROOT,
                "%s: predicted %s; %s",
                work,
                side("device", devicePredictions, deviceErrorPercent),
                side("cpu", cpuPredictions, cpuErrorPercent));
    }

    private static String side(String engine, long predictions, double errorPercent) {
        return predictions == 0
                ? engine + " never"
                : String.format(Locale.ROOT, "%s %d times, median error %.0f %%", engine, predictions, errorPercent);
    }
}
