package io.warpcodec.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Why code could not be linked, and what to do about it. The libraries of the CPU engine unpack their native parts
 * into the temporary folder, where they cannot be loaded if the folder is mounted {@code noexec}. The JVM reports the
 * cause once; each later use of the class fails with {@code NoClassDefFoundError: Could not initialize class}, so
 * both are told in the same words.
 */
final class LinkageReason {

    /** Package of a library to the property that names its native part. */
    private static final Map<String, String> NATIVE_LIBRARIES = new LinkedHashMap<>();

    static {
        NATIVE_LIBRARIES.put("com.github.luben.zstd.", "-DZstdNativePath=FILE");
        NATIVE_LIBRARIES.put("org.xerial.snappy.", "-Dorg.xerial.snappy.lib.path=FOLDER");
    }

    private LinkageReason() {}

    /** The reason and the remedy, in one line. */
    static String of(LinkageError failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        String reason = ErrorText.firstLine(first);
        String property = propertyFor(failure);
        if (property == null) {
            return reason + "; a jar is missing or of another version, 'warpcodec doctor' says which are used";
        }
        return "the native library cannot be loaded (" + reason + "); it is unpacked to "
                + System.getProperty("java.io.tmpdir")
                + ", which must not be mounted noexec: WARPCODEC_JAVA_OPTIONS=-Djava.io.tmpdir=FOLDER names another folder, "
                + property + " a library that is there";
    }

    /**
     * Whether a native part of a library of the CPU engine could not be loaded: then {@link #of} knows more than the
     * engine, whose users set no options of the JVM.
     */
    static boolean isOfNativePart(LinkageError failure) {
        return propertyFor(failure) != null;
    }

    private static String propertyFor(Throwable failure) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            for (Map.Entry<String, String> library : NATIVE_LIBRARIES.entrySet()) {
                if (isOf(library.getKey(), each)) {
                    return library.getValue();
                }
            }
        }
        return null;
    }

    /**
     * Whether a native part of a package failed. A class that is absent altogether, named with slashes, needs another
     * remedy.
     */
    private static boolean isOf(String packagePrefix, Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (failure instanceof NoClassDefFoundError) {
            return message.startsWith("Could not initialize class " + packagePrefix);
        }
        for (StackTraceElement caller : failure.getStackTrace()) {
            if (caller.getClassName().startsWith(packagePrefix)) {
                return true;
            }
        }
        return false;
    }
}
