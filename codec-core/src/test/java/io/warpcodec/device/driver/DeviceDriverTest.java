package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.DriverStatus.State;
import io.warpcodec.device.kernel.KernelStatus;
import io.warpcodec.device.pool.DeviceReport;
import io.warpcodec.engine.gpu.KernelCatalog;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jcuda.JCudaVersion;
import jcuda.LibUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceDriverTest {
    @TempDir
    private Path folder;

    @Test
    void askingNeverThrowsAndTheAnswersAgree() {
        DriverStatus status = DeviceDriver.status();
        assertThat(status.reason()).isNotBlank();
        assertThat(DeviceDriver.devices().isEmpty()).isEqualTo(!status.ready());
        assertThat(DeviceDriver.status()).isSameAs(status);
    }

    @Test
    void temporaryFolderIsUnchangedAfterAsking() {
        String before = System.getProperty("java.io.tmpdir");
        DeviceDriver.status();
        assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
    }

    @Test
    void aDeviceThatIsNotThereIsRefused() {
        assertThatThrownBy(() -> DeviceDriver.open(1 << 20)).isInstanceOf(DeviceException.class);
        assertThatThrownBy(() -> DeviceDriver.open(-1)).isInstanceOf(DeviceException.class);
    }

    @Test
    void theReportNamesEveryKernel() {
        DeviceReport report = DeviceReport.collect(KernelCatalog.contracts());
        assertThat(report.driver()).isEqualTo(DeviceDriver.status());
        assertThat(report.kernels()).extracting(KernelStatus::word).contains("checksum");
        assertThat(report.kernels()).extracting(KernelStatus::reason).doesNotContain("");
        assertThat(report.kernels())
                .extracting(KernelStatus::state)
                .isSubsetOf(
                        report.driver().ready() ? KernelStatus.State.LOADED : KernelStatus.State.PRESENT,
                        KernelStatus.State.MISSING);
    }

    @Test
    void withoutJcudaAndKernelsTheAnswerIsOrdinary() throws Exception {
        try (URLClassLoader bare = new URLClassLoader(bareClassPath(), ClassLoader.getPlatformClassLoader())) {
            Object status = bare.loadClass(DeviceDriver.class.getName())
                    .getMethod("status")
                    .invoke(null);
            assertThat(status)
                    .hasToString(DriverStatus.of(State.NO_BINDING, "jcuda is not on the class path")
                            .toString());

            Object contracts = bare.loadClass(KernelCatalog.class.getName())
                    .getMethod("contracts")
                    .invoke(null);
            Object report = bare.loadClass(DeviceReport.class.getName())
                    .getMethod("collect", List.class)
                    .invoke(null, contracts);
            assertThat(report.toString())
                    .contains("word=checksum", "state=MISSING", "the kernels jar is not on the class path");
        }
    }

    @Test
    void aKernelsJarThatWasBuiltWithoutNvccSaysSo() throws Exception {
        Path kernels = Files.createDirectories(folder.resolve("io/warpcodec/kernels"));
        Files.writeString(kernels.resolve("kernels.properties"), "toolkit=\nsass=\nptx=\nwords=\n");
        List<URL> classPath = new ArrayList<>(List.of(bareClassPath()));
        classPath.add(folder.toUri().toURL());
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            Object contracts = loader.loadClass(KernelCatalog.class.getName())
                    .getMethod("contracts")
                    .invoke(null);
            Object report = loader.loadClass(DeviceReport.class.getName())
                    .getMethod("collect", List.class)
                    .invoke(null, contracts);
            assertThat(report.toString()).contains("state=MISSING", "the kernels jar was built without nvcc");
        }
    }

    @Test
    void aTruncatedLibraryWhereJcudaUnpacksToIsNeverLoaded() throws Exception {
        // jcuda by itself maps whatever lies there, and the JVM dies with SIGBUS; so this runs in a JVM of its own
        String name = "libJCudaDriver-" + JCudaVersion.get() + "-linux-x86_64.so";
        byte[] library;
        try (var resource = LibUtils.class.getResourceAsStream("/lib/" + name)) {
            library = resource.readAllBytes();
        }
        Path leftover = folder.resolve(name);
        Files.write(leftover, Arrays.copyOf(library, 65536));
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + folder.resolve("crash"),
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        PrintDriverState.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int exit = process.waitFor();
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .contains("state=" + DeviceDriver.status().state());
        assertThat(exit).isZero();
        assertThat(leftover).as("not ours to touch").hasSize(65536);
        assertThat(folder.resolve("warpcodec-" + System.getProperty("user.name"))
                        .resolve(name))
                .hasBinaryContent(library);
    }

    /** Prints the driver's state. */
    static final class PrintDriverState {
        public static void main(String[] args) {
            System.out.println("state=" + DeviceDriver.status().state());
        }
    }

    @Test
    void linkFailuresAreExplained() {
        assertThat(explain("x.so: libcuda.so.1: cannot open shared object file").state())
                .isEqualTo(State.NO_DRIVER);
        assertThat(explain("Native Library x.so already loaded in another classloader")
                        .state())
                .isEqualTo(State.BINDING_IN_USE);
        DriverStatus noexec = explain("Error while loading native library\n"
                + "java.lang.UnsatisfiedLinkError: no JCudaDriver in java.library.path\n\tat x\n"
                + "java.lang.UnsatisfiedLinkError: x.so: failed to map segment from shared object\n\tat y\n");
        assertThat(noexec.state()).isEqualTo(State.NOEXEC_FOLDER);
        assertThat(noexec.reason())
                .isEqualTo(System.getProperty("java.io.tmpdir")
                        + " is mounted noexec, native code cannot be loaded from it");
        DriverStatus broken = explain("java.lang.UnsatisfiedLinkError: x.so: file too short\n\tat y\n");
        assertThat(broken.state()).isEqualTo(State.NO_BINDING);
        assertThat(broken.reason()).contains("file too short");
    }

    @Test
    void versionsReadAsPeopleWriteThem() {
        assertThat(new DriverStatus(State.READY, "x", 12060).driverVersionText())
                .isEqualTo("12.6");
        assertThat(new DriverStatus(State.READY, "x", 13000).driverVersionText())
                .isEqualTo("13.0");
        assertThat(new DriverStatus(State.NO_DRIVER, "x", 0).driverVersionText())
                .isEqualTo("unknown");
        assertThat(State.NO_DRIVER.code()).isEqualTo("no-driver");
    }

    private static DriverStatus explain(String message) {
        return JCudaLibrary.explain(new UnsatisfiedLinkError(message)).orElseThrow();
    }

    private static URL[] bareClassPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path path = Path.of(entry);
            String name = path.getFileName().toString();
            boolean kernels =
                    path.endsWith(Path.of("kernels", "target", "classes")) || name.startsWith("warpcodec-kernels");
            if (!kernels && !name.startsWith("jcuda")) {
                urls.add(path.toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }
}
