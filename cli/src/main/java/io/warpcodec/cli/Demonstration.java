package io.warpcodec.cli;

import io.warpcodec.Format;
import io.warpcodec.Mode;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The jobs behind the verb {@code demo}. They need Spark and Hadoop's mini clusters, which the other verbs do
 * without, so they lie in a module of their own and are found as a service. An installation without that module has
 * the verb, but no jobs.
 */
public interface Demonstration {

    /**
     * Runs everything once.
     *
     * @param sizeBytes about how much text to generate
     * @param formats which rows of the table to make
     * @param mode which engines may work
     * @param out where the table goes, line by line
     * @param progress receives a few words whenever another step begins
     * @return whether each job gave the same answer as the same job on plain text
     */
    boolean run(long sizeBytes, Set<Format> formats, Mode mode, Consumer<String> out, Consumer<String> progress)
            throws Exception;
}
