package io.warpcodec.doctor;

import io.warpcodec.device.driver.JCudaLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whether files can be made and executed in the temporary folder. On a file system that is mounted {@code noexec}
 * they cannot be executed, and then no native library can be loaded from there either. Java does not tell the options
 * of a mount, but whether a file may be executed whose permissions allow it: access(2) looks at both.
 */
final class TemporaryFolder {
    private static final long MEBIBYTE = 1 << 20;
    private static final String OTHER_FOLDER =
            "name another folder with -Djava.io.tmpdir=FOLDER (for the tool in WARPCODEC_JAVA_OPTIONS, for Spark in"
                    + " spark.executor.extraJavaOptions and spark.driver.extraJavaOptions)";

    private TemporaryFolder() {}

    /** @param nativeFolder in which folder the private folder of the driver's binding is made */
    static void examine(NodeReport report, String nativeFolder) {
        Map<String, Object> finding = new LinkedHashMap<>();
        Path folder = Path.of(System.getProperty("java.io.tmpdir"));
        finding.put("path", folder.toString());
        finding.put("nativeLibrariesIn", nativeFolder);
        try {
            Files.delete(Files.createTempFile(folder, "warpcodec-doctor-", ".probe"));
            finding.put("writable", true);
            finding.put("executable", executable(folder));
            finding.put("freeMiB", Files.getFileStore(folder).getUsableSpace() / MEBIBYTE);
        } catch (IOException failure) {
            finding.put("writable", false);
            finding.put("reason", failure.toString());
            report.problem("the temporary folder " + folder + " cannot be written: " + failure, OTHER_FOLDER);
        }
        if (Boolean.FALSE.equals(finding.get("executable"))) {
            report.problem(
                    "the temporary folder " + folder
                            + " is mounted noexec, so zstd, snappy and the driver's binding cannot load their native libraries from it",
                    OTHER_FOLDER);
        }
        report.fact("temporaryFolder", finding);
    }

    /** Adds the problem of the driver's binding where its folder is not the temporary one, which is examined anyway. */
    static void reportNoexec(NodeReport report, String nativeFolder) {
        if (!Path.of(nativeFolder).equals(Path.of(System.getProperty("java.io.tmpdir")))) {
            report.problem(
                    nativeFolder + " is mounted noexec, so the driver's binding cannot be loaded from it",
                    "name another folder with -D" + JCudaLibrary.FOLDER_PROPERTY + "=FOLDER");
        }
    }

    /** True, false, or why it cannot be told. */
    private static Object executable(Path folder) throws IOException {
        Path file = Files.createTempFile(folder, "warpcodec-doctor-", ".probe");
        try {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            return Files.isExecutable(file);
        } catch (IOException | UnsupportedOperationException cannotBeTold) {
            return "unknown: " + cannotBeTold;
        } finally {
            Files.delete(file);
        }
    }
}
