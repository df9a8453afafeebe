package io.warpcodec.device.driver;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;

/** The fatbins on the class path, and what the build wrote about them. Knows nothing of jcuda. Thread-safe. */
public final class KernelImages {
    private static final String FOLDER = "/io/warpcodec/kernels/";
    /** Oldest driver that the binding is used with, whatever the kernels need. */
    private static final int BINDING_DRIVER_VERSION = 12000;

    private static final Properties BUILD = readBuild();

    private KernelImages() {}

    /** Version of the CUDA toolkit that compiled the kernels, such as {@code 13.0}; empty where there are none. */
    public static String toolkit() {
        return BUILD.getProperty("toolkit", "");
    }

    /** What the kernels were compiled for. */
    public static KernelTargets targets() {
        return KernelTargets.parse(BUILD.getProperty("sass", ""), BUILD.getProperty("ptx", ""));
    }

    /** Why there are no kernels at all, or empty. */
    public static Optional<String> unavailableReason() {
        if (BUILD.isEmpty()) {
            return Optional.of("the kernels jar is not on the class path");
        }
        return toolkit().isEmpty() ? Optional.of("the kernels jar was built without nvcc") : Optional.empty();
    }

    /** Machine code runs on any driver of its toolkit's major version or newer. */
    static int requiredDriverVersion() {
        String major = toolkit().replaceFirst("\\..*$", "");
        return major.matches("[0-9]{1,3}")
                ? Math.max(BINDING_DRIVER_VERSION, Integer.parseInt(major) * 1000)
                : BINDING_DRIVER_VERSION;
    }

    /** The fatbin of a word, if the class path has it. */
    public static Optional<byte[]> read(String word) throws IOException {
        try (InputStream resource = KernelImages.class.getResourceAsStream(FOLDER + word + ".fatbin")) {
            return resource == null ? Optional.empty() : Optional.of(resource.readAllBytes());
        }
    }

    private static Properties readBuild() {
        Properties build = new Properties();
        try (InputStream resource = KernelImages.class.getResourceAsStream(FOLDER + "kernels.properties")) {
            if (resource != null) {
                build.load(resource);
            }
        } catch (IOException unreadable) {
            build.clear();
        }
        return build;
    }
}
