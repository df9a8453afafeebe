package io.warpcodec.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.PoolSettings;
import io.warpcodec.device.driver.DriverStatus.State;
import io.warpcodec.device.kernel.KernelStatus;
import io.warpcodec.device.pool.DeviceReport;
import io.warpcodec.device.pool.ScriptedReports;
import io.warpcodec.device.pool.ScriptedReports.Gpu;
import io.warpcodec.engine.gpu.KernelCatalog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeExaminationTest {
    private static final Gpu H200 = new Gpu("NVIDIA H200", "9.0");
    private static final Gpu L4 = new Gpu("NVIDIA L4", "8.9");
    private static final Gpu T4 = new Gpu("Tesla T4", "7.5");

    private static NodeReport report(DeviceReport found) {
        return ScriptedNodes.with(found);
    }

    private static NodeReport with(List<Gpu> gpus, String machineCode, String portable) {
        return report(ScriptedReports.of(gpus, machineCode, portable, KernelCatalog.contracts()));
    }

    private static NodeReport without(State state, String reason) {
        return report(ScriptedReports.without(state, reason, KernelCatalog.contracts()));
    }

    @Test
    void severalDevicesAreCountedByNameAndTheFormatsAreNamed() {
        NodeReport report = with(List.of(H200, L4, H200), "89,90", "");
        assertThat(report.gpu().line())
                .isEqualTo("GPU: 2 x NVIDIA H200, 1 x NVIDIA L4 for gzip, deflate, bzip2, lz4, snappy, zstd");
        assertThat(report.gpu().holds()).isTrue();
        assertThat(report.problems()).isEmpty();
        assertThat(report.asText()).startsWith(report.gpu().line() + "\n").contains("kernels: machine code");
    }

    @Test
    void machineCodeOfAnOlderMinorVersionRunsAndThatOfANewerOneDoesNot() {
        assertThat(with(List.of(L4), "80", "").gpu().holds()).isTrue();
        assertThat(with(List.of(new Gpu("NVIDIA A100", "8.0")), "89", "").gpu().holds())
                .isFalse();
        assertThat(with(List.of(new Gpu("NVIDIA B200", "10.0")), "90", "").gpu().holds())
                .as("machine code does not run on the next major version")
                .isFalse();
    }

    @Test
    void portableCodeIsSaidToBeCompiledByTheDriverOnce() {
        NodeReport report = with(List.of(T4), "90", "75");
        assertThat(report.gpu().line())
                .isEqualTo(
                        "GPU: 1 x Tesla T4 for gzip, deflate, bzip2, lz4, snappy, zstd (kernels compiled by the driver once)");
        assertThat(report.asText()).contains("kernels: compiled by the driver once");
    }

    @Test
    void devicesOfOtherProcessesAreLeftOut() {
        PoolSettings.install(PoolSettings.DEFAULTS.withDevices(List.of("1")));
        assertThat(with(List.of(T4, H200), "90", "").gpu().line())
                .isEqualTo("GPU: 1 x NVIDIA H200 for gzip, deflate, bzip2, lz4, snappy, zstd");
        PoolSettings.install(PoolSettings.DEFAULTS.withDevices(List.of("5")));
        NodeReport report = with(List.of(H200, H200), "90", "");
        assertThat(report.gpu())
                .isEqualTo(
                        new Verdict(false, "CPU only: none of the devices [5] is among the 2 that the driver shows"));
        assertThat(report.problems()).hasSize(1);
    }

    /** The driver has another word than the jar: it must be newer than the toolkit to compile what that made. */
    @Test
    void aDriverThatCannotCompileThePortableCodeIsSaidToBeTooOld() {
        DeviceReport fitting = ScriptedReports.of(List.of(T4), "90", "75", KernelCatalog.contracts());
        KernelStatus refused = new KernelStatus("lz4", 0, KernelStatus.State.NO_CODE_FOR_DEVICE, "code 222");
        NodeReport report = ScriptedNodes.with(new DeviceReport(
                fitting.driver(), fitting.devices(), fitting.build(), List.of(refused), fitting.nativeFolder()));
        assertThat(report.gpu().line())
                .isEqualTo("CPU only: the driver is too old to compile the kernels, which are of CUDA 13.0");
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).startsWith("install a newer driver"));
    }

    @Test
    void aJarWithoutCodeForTheDeviceSaysWhatItHasAndWhatTheDeviceIs() {
        NodeReport report = with(List.of(T4), "90", "120");
        assertThat(report.gpu())
                .isEqualTo(new Verdict(
                        false,
                        "CPU only: the kernels in this jar are for compute capability 9.0, and compiled by the driver"
                                + " 12.0 and newer; the GPU is 7.5 (Tesla T4)"));
        assertThat(report.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.what()).startsWith("GPU 0 (Tesla T4) is not used: ");
            assertThat(problem.remedy()).contains("use a release");
        });
    }

    @Test
    void aDeviceWithoutCodeBesideAnotherIsNamedInTheVerdict() {
        NodeReport report = with(List.of(T4, H200), "90", "");
        assertThat(report.gpu().line())
                .isEqualTo("GPU: 1 x NVIDIA H200 for gzip, deflate, bzip2, lz4, snappy, zstd; not 1 x Tesla T4");
        assertThat(report.problems()).hasSize(1);
    }

    @Test
    void aJarThatWasBuiltWithoutNvccSaysSo() {
        DeviceReport found = ScriptedReports.of(List.of(H200), "", "", KernelCatalog.contracts());
        NodeReport report = report(ScriptedReports.withoutKernels(found, "the kernels jar was built without nvcc"));
        assertThat(report.gpu()).isEqualTo(new Verdict(false, "CPU only: the kernels jar was built without nvcc"));
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).contains("use a release"));
    }

    @Test
    void withoutADriverTheVerdictNamesTheLibraryThatIsNotThere() {
        NodeReport report = without(State.NO_DRIVER, "no NVIDIA driver: libcuda.so.1 was not found");
        assertThat(report.gpu()).isEqualTo(new Verdict(false, "CPU only: no driver (libcuda.so.1)"));
        assertThat(report.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).contains("--gpus all"));
        assertThat(report.asMap())
                .containsEntry("gpu", false)
                .containsEntry("verdict", report.gpu().line())
                .containsKeys("problems", "driver", "devices", "kernels");
    }

    @ParameterizedTest
    @CsvSource({
        "NO_DEVICE, the driver sees no device, the driver shows no GPU",
        "OLD_DRIVER, the driver supports CUDA 12.2; the kernels need 13.0, the driver supports CUDA 12.2; the kernels need 13.0",
        "NO_BINDING, jcuda is not on the class path, jcuda is not on the class path",
        "BINDING_IN_USE, another class loader has it, another class loader has it",
    })
    void whateverElseIsWrongWithTheDriverIsTheVerdict(State state, String reason, String verdict) {
        NodeReport report = without(state, reason);
        assertThat(report.gpu()).isEqualTo(new Verdict(false, "CPU only: " + verdict));
        assertThat(report.problems()).hasSize(1);
    }

    @Test
    void aFolderThatIsMountedNoexecIsTheVerdictAndToldOnce() {
        NodeReport report = without(State.NOEXEC_FOLDER, "/x is mounted noexec, native code cannot be loaded from it");
        assertThat(report.gpu())
                .isEqualTo(new Verdict(false, "CPU only: /x is mounted noexec, native code cannot be loaded from it"));
        assertThat(report.problems())
                .as("the temporary folder has been examined, and is not mounted so")
                .isEmpty();
    }

    @Test
    void theSwitchOfEmergenciesIsTheVerdictWhateverDevicesThereAre() {
        System.setProperty("warpcodec.mode", "cpu");
        NodeReport report = with(List.of(H200), "90", "");
        assertThat(report.gpu()).isEqualTo(new Verdict(false, "CPU only: -Dwarpcodec.mode=cpu is set"));
        assertThat(report.problems()).hasSize(1);
    }

    @Test
    void tooFewWorkQueuesAreSaidOnlyWhereAGpuWorks() {
        NodeReport gpu = new NodeReport();
        GpuExamination.examine(gpu, ScriptedReports.of(List.of(H200), "90", "", KernelCatalog.contracts()), Map.of());
        assertThat(gpu.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.what()).startsWith("CUDA_DEVICE_MAX_CONNECTIONS is not set"));
        NodeReport cpu = new NodeReport();
        GpuExamination.examine(
                cpu, ScriptedReports.without(State.NO_DEVICE, "none", KernelCatalog.contracts()), Map.of());
        assertThat(cpu.problems())
                .hasSize(1)
                .noneMatch(problem -> problem.what().contains("MAX_CONNECTIONS"));
    }

    @Test
    void theCpuEngineHasEveryFormatOnTheNodeOfTheTest() {
        NodeReport report = NodeExamination.examine();
        assertThat(report.cpu()).isEqualTo(new Verdict(true, "CPU: gzip, deflate, bzip2, lz4, snappy, zstd"));
        assertThat(report.facts())
                .containsOnlyKeys(
                        "warpcodec",
                        "driver",
                        "devices",
                        "kernels",
                        "nodeService",
                        "natives",
                        "classPath",
                        "temporaryFolder",
                        "java");
    }
}
