package io.warpcodec.engine.gpu.soak;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * High-water marks of a {@link Soak}: what the process and its devices hold, every second, and the maxima of both
 * halves.
 */
final class SoakMarks {
    private static final long MEBIBYTE = 1 << 20;

    /**
     * Something that may grow.
     *
     * @param slack by how much the second half's maximum may exceed the first's; Long.MAX_VALUE where it says nothing
     */
    private record Mark(String name, LongSupplier value, long slack) {}

    private final List<Mark> marks;
    private final long[][] maxima;
    private final StringBuilder csv = new StringBuilder("second,raw_bytes");
    private final Path file;
    private int half;

    /**
     * @param deviceBytes memory in use on the devices
     * @param lentBytes page-locked bytes lent to tasks
     */
    SoakMarks(LongSupplier deviceBytes, LongSupplier lentBytes, Path file) {
        this.file = file;
        var memory = ManagementFactory.getMemoryMXBean();
        var threads = ManagementFactory.getThreadMXBean();
        marks = List.of(
                new Mark("device_bytes", deviceBytes, 64 * MEBIBYTE),
                // as much as the work asks for, up to the pool's limit: that all comes back is asked at half time and
                // at the end
                new Mark("lent_bytes", lentBytes, Long.MAX_VALUE),
                new Mark("direct_bytes", SoakMarks::directBytes, 16 * MEBIBYTE),
                new Mark("threads", threads::getThreadCount, 2),
                // with the garbage; what lives is asked at half time and at the end
                new Mark("heap_bytes", () -> memory.getHeapMemoryUsage().getUsed(), Long.MAX_VALUE),
                new Mark(
                        "committed_heap_bytes",
                        () -> memory.getHeapMemoryUsage().getCommitted(),
                        Long.MAX_VALUE),
                // the heap grows into what is committed; all else is native memory
                new Mark("native_bytes", SoakMarks::nativeBytes, 256 * MEBIBYTE));
        marks.forEach(mark -> csv.append(',').append(mark.name));
        csv.append('\n');
        maxima = new long[2][marks.size()];
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    /**
     * Private resident memory beside the heap: of three looks the least, since a heap that shrinks keeps its pages
     * for a moment longer than it counts them.
     */
    private static long nativeBytes() {
        long least = Long.MAX_VALUE;
        try {
            for (int look = 0; look < 3; look++) {
                least = Math.min(least, nativeBytesNow());
                Thread.sleep(100);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return least;
    }

    /** 0 where the system does not say. */
    private static long nativeBytesNow() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("RssAnon:")) {
                    long kib = Long.parseLong(line.replaceAll("\\D", ""));
                    long heap = ManagementFactory.getMemoryMXBean()
                            .getHeapMemoryUsage()
                            .getCommitted();
                    return Math.max(0, (kib << 10) - heap);
                }
            }
        } catch (IOException unknown) {
            // not this system
        }
        return 0;
    }

    /** One line. */
    void take(double seconds, long rawBytes) throws IOException {
        csv.append(String.format(Locale.ROOT, "%.1f,%d", seconds, rawBytes));
        for (int index = 0; index < marks.size(); index++) {
            long value = marks.get(index).value.getAsLong();
            maxima[half][index] = Math.max(maxima[half][index], value);
            csv.append(',').append(value);
        }
        csv.append('\n');
        Files.writeString(file, csv);
    }

    /** From now on the second half's maxima. */
    void startSecondHalf() {
        half = 1;
    }

    /** Both halves' maxima, by name. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("maxima of the first half -> of the second:\n");
        for (int index = 0; index < marks.size(); index++) {
            text.append(String.format(
                    Locale.ROOT, "  %s %d -> %d%n", marks.get(index).name, maxima[0][index], maxima[1][index]));
        }
        return text.toString();
    }

    /** What grew by more than its slack from the first half to the second. */
    List<String> growths() {
        List<String> growths = new ArrayList<>();
        for (int index = 0; index < marks.size(); index++) {
            Mark mark = marks.get(index);
            if (mark.slack != Long.MAX_VALUE && maxima[1][index] - maxima[0][index] > mark.slack) {
                growths.add(mark.name + " grew from " + maxima[0][index] + " to " + maxima[1][index]);
            }
        }
        return growths;
    }

    /** Live heap bytes: after collections, once no stream is at work. */
    static long liveBytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int turn = 0; turn < 3; turn++) {
            System.gc();
            Thread.sleep(200); // cleaners give back what abandoned streams hold
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
