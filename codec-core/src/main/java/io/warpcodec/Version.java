package io.warpcodec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;

/** The version of Warpcodec that this JVM runs. Thread-safe. */
public final class Version {
    /** Where a jar that holds the formats keeps its version, in whatever jar they lie. */
    public static final String RESOURCE = "io/warpcodec/version.properties";

    private static final String UNKNOWN = "of an unknown version";
    private static final String RUNNING = running();

    private Version() {}

    /** The version, such as {@code 1.2.3}; words where the jar was made without it. */
    public static String text() {
        return RUNNING;
    }

    /**
     * The version in the content of {@link #RESOURCE}.
     *
     * @throws IOException if it cannot be read
     */
    public static String read(InputStream in) throws IOException {
        Properties built = new Properties();
        built.load(in);
        return built.getProperty("version", UNKNOWN);
    }

    private static String running() {
        try (InputStream in = Version.class.getResourceAsStream("/" + RESOURCE)) {
            return in == null ? UNKNOWN : read(in);
        } catch (IOException | IllegalArgumentException unreadable) {
            return UNKNOWN;
        }
    }
}
