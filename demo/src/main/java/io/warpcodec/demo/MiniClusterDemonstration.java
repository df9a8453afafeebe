package io.warpcodec.demo;

import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.cli.Demonstration;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the verb {@code demo} finds: the jobs of {@link Demo} on a {@link MiniCluster}. */
public final class MiniClusterDemonstration implements Demonstration {

    /** Java's own root logger; held, because the log manager keeps only a weak reference. */
    private static final Logger JAVA_ROOT_LOGGER = Logger.getLogger("");

    @Override
    public boolean run(long sizeBytes, Set<Format> formats, Mode mode, Consumer<String> out, Consumer<String> progress)
            throws Exception {
        JAVA_ROOT_LOGGER.setLevel(Level.SEVERE);
        String word = mode.name().toLowerCase(Locale.ROOT);
        return new Demo(sizeBytes, formats, word, out, progress).run();
    }
}
