package io.warpcodec.doctor;

import java.io.PrintStream;

/** What {@code doctor} does in an application on a cluster, besides looking at its own node. */
public interface ClusterDoctor {
    /** Whether this process was started as such an application. */
    boolean isSubmitted();

    /**
     * Examines the nodes of the application.
     *
     * @param executors how many processes to wait for; 0 where that is not known
     * @param waitSeconds how long to wait for them at most
     * @param check {@code gpu} or {@code cpu}: prints the verdict only; null for all
     * @return false if something was asked for that is not the case in every process
     */
    boolean run(int executors, int waitSeconds, String check, PrintStream out);
}
