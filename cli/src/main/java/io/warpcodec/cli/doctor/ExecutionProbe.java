package io.warpcodec.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether files in a folder may be executed. On a file system that is mounted {@code noexec} they may not, and then no native library can be loaded from
 * there either. It is tried with a script of one line, because Java does not tell the options of a mount.
 */
final class ExecutionProbe {

    private static final String PERMISSION_DENIED = "error=13";
    private static final String SCRIPT = "#!/bin/sh\nexit 0\n";

    private ExecutionProbe() {}

    /** {@code executable}, and if it is false {@code remedy}; empty where that cannot be tried. */
    static Map<String, Object> findings(Path folder) throws IOException {
        Map<String, Object> findings = new LinkedHashMap<>();
        Path script = Files.createTempFile(folder, "warpcodec-doctor-", ".sh");
        try {
            Files.writeString(script, SCRIPT);
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
            findings.put("executable", runs(script));
            if (findings.get("executable").equals(false)) {
                findings.put(
                        "remedy",
                        "mounted noexec: zstd and snappy cannot load their native libraries from here;"
                                + " -Djava.io.tmpdir=FOLDER names another folder (WARPCODEC_JAVA_OPTIONS for this tool)");
            }
        } catch (IOException | UnsupportedOperationException cannotBeTried) {
            findings.put("executable", "unknown: " + cannotBeTried);
        } finally {
            Files.delete(script);
        }
        return findings;
    }

    private static boolean runs(Path script) throws IOException {
        try {
            Process process = new ProcessBuilder(script.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException refused) {
            if (String.valueOf(refused.getMessage()).contains(PERMISSION_DENIED)) {
                return false;
            }
            throw refused;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }
}
