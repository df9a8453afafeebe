package io.warpcodec.benchmarks.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Processor seconds of other processes, as Linux counts them; zero for a process that has gone. */
final class ProcessorTime {
    private static final double TICKS_A_SECOND = 100;
    /**
     * Place of the user time among the fields of /proc/PID/stat behind the name. The system time follows; then both
     * times of children that have ended and were waited for.
     */
    private static final int USER_FIELD = 11;

    private static final int CHILDREN_USER_FIELD = 13;

    private ProcessorTime() {}

    /** Of one process itself. */
    static double of(long id) throws IOException {
        return seconds(id, USER_FIELD);
    }

    /** Of all that a process has started, and what those have started, once they have ended. */
    static double ofEndedChildren(long id) throws IOException {
        return seconds(id, CHILDREN_USER_FIELD);
    }

    private static double seconds(long id, int field) throws IOException {
        try {
            return seconds(Files.readString(Path.of("/proc/" + id + "/stat"), StandardCharsets.ISO_8859_1), field);
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }

    private static double seconds(String stat, int field) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) / TICKS_A_SECOND;
    }

    /** The processes below one whose command line has this word. */
    static List<ProcessHandle> below(ProcessHandle process, String word) {
        return process.descendants()
                .filter(child -> commandLine(child.pid()).contains(word))
                .toList();
    }

    private static String commandLine(long id) {
        try {
            return Files.readString(Path.of("/proc/" + id + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }
}
