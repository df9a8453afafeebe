package io.warpcodec.device.driver;

import io.warpcodec.device.driver.DriverStatus.State;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Loads jcuda's native library from a private, verified copy. Refers to jcuda by name only, so it runs where jcuda is
 * absent.
 */
public final class JCudaLibrary {
    // How jcuda 12.6.0 finds its library, when JCudaDriver is initialised:
    //   1. System.loadLibrary(name): the folders of java.library.path;
    //   2. else java.io.tmpdir/<file name>, whatever it holds; only if no such file exists is it first written there
    //      from the jar.
    // Step 2 maps a leftover that a killed JVM wrote in part (SIGBUS), or that another user put there. What does not
    // help:
    //   - setting java.library.path: the JDK reads it once, before any of our code runs;
    //   - System.load of our own copy beforehand: the JVM then has two libraries, and step 2 still maps the leftover.
    // So JCudaDriver is initialised while java.io.tmpdir names our folder, where the file of that name is the
    // verified copy. JDK 17 itself does not read the property again after its start, but others might. Hence the lock
    // on the system properties, which their writers take: no other change is lost. A second copy of this class under
    // another class loader takes that lock, too. A library that an administrator puts on java.library.path is still
    // preferred by step 1.

    /** System property: the folder in which the private folder is made; default {@code java.io.tmpdir}. */
    public static final String FOLDER_PROPERTY = "warpcodec.native.dir";

    private static final String DRIVER_CLASS = "jcuda.driver.JCudaDriver";
    private static final String TEMPORARY_FOLDER = "java.io.tmpdir";

    private JCudaLibrary() {}

    /** Loads the library; empty if that worked, else why not. */
    static Optional<DriverStatus> load() {
        String os = System.getProperty("os.name", "");
        String processor = System.getProperty("os.arch", "");
        if (!os.equals("Linux") || !(processor.equals("amd64") || processor.equals("x86_64"))) {
            return no(
                    State.UNSUPPORTED_PLATFORM,
                    "kernels run on Linux on x86-64 only; this is " + os + " on " + processor);
        }
        try {
            ClassLoader loader = JCudaLibrary.class.getClassLoader();
            Class<?> anchor = Class.forName("jcuda.LibUtils", false, loader);
            String version = (String) Class.forName("jcuda.JCudaVersion", true, loader)
                    .getMethod("get")
                    .invoke(null);
            String fileName = "libJCudaDriver-" + version + "-linux-x86_64.so";
            NativeLibraryFolder folder = NativeLibraryFolder.below(parentFolder());
            try (InputStream resource = anchor.getResourceAsStream("/lib/" + fileName)) {
                if (resource != null) {
                    folder.place(fileName, resource.readAllBytes());
                }
            }
            initialiseWith(folder.path(), loader);
            return Optional.empty();
        } catch (ClassNotFoundException | NoClassDefFoundError absent) {
            return no(State.NO_BINDING, "jcuda is not on the class path");
        } catch (UnsatisfiedLinkError failed) {
            return explain(failed);
        } catch (IOException failed) {
            return no(State.NO_BINDING, "jcuda's native library could not be unpacked: " + failed);
        } catch (ReflectiveOperationException | LinkageError failed) {
            return no(State.NO_BINDING, "jcuda could not be initialised: " + failed);
        }
    }

    /** Where the private folder is made. */
    public static Path parentFolder() {
        return Path.of(System.getProperty(FOLDER_PROPERTY, System.getProperty(TEMPORARY_FOLDER)));
    }

    private static void initialiseWith(Path folder, ClassLoader loader) throws ClassNotFoundException {
        synchronized (System.getProperties()) {
            String before = System.getProperty(TEMPORARY_FOLDER);
            System.setProperty(TEMPORARY_FOLDER, folder.toString());
            try {
                Class.forName(DRIVER_CLASS, true, loader);
            } finally {
                System.setProperty(TEMPORARY_FOLDER, before);
            }
        }
    }

    /** Reads the reason out of jcuda's message, which quotes both attempts with their stack traces. */
    static Optional<DriverStatus> explain(UnsatisfiedLinkError failed) {
        String message = String.valueOf(failed.getMessage());
        if (message.contains("libcuda.so.1")) {
            return no(State.NO_DRIVER, "no NVIDIA driver: libcuda.so.1 was not found");
        }
        if (message.contains("already loaded in another classloader")) {
            return no(State.BINDING_IN_USE, "another class loader of this JVM has loaded jcuda's native library");
        }
        if (message.contains("failed to map segment from shared object")) {
            return no(State.NOEXEC_FOLDER, parentFolder() + " is mounted noexec, native code cannot be loaded from it");
        }
        String last = message.lines()
                .filter(line -> line.contains("UnsatisfiedLinkError:") || line.contains("IOException:"))
                .reduce((first, second) -> second)
                .orElse(message.lines().findFirst().orElse(""));
        return no(State.NO_BINDING, "jcuda's native library could not be loaded: " + last.trim());
    }

    private static Optional<DriverStatus> no(State state, String reason) {
        return Optional.of(DriverStatus.of(state, reason));
    }
}
