package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.kernel.KernelModule;
import io.warpcodec.device.kernel.KernelStatus;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.device.pool.DeviceReport;
import io.warpcodec.engine.gpu.KernelCatalog;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Memory, streams and modules of a real device. */
@GpuTest
class DeviceGpuTest {
    private static Device device;

    @BeforeAll
    static void open() throws DeviceException {
        device = DeviceDriver.open(0);
    }

    @AfterAll
    static void close() {
        device.close();
    }

    @Test
    void theDeviceDescribesItself() {
        DeviceInfo info = device.info();
        assertThat(info.name()).isNotBlank();
        assertThat(info.memoryBytes()).isGreaterThan(1L << 30);
        assertThat(info.multiprocessorCount()).isPositive();
        assertThat(info.computeMajor()).isBetween(5, 99);
        assertThat(info.busId()).matches("[0-9a-fA-F]+:[0-9a-fA-F]+:[0-9a-fA-F]+\\.[0-9]");
    }

    @Test
    void bytesComeBackThroughSlices() throws DeviceException {
        byte[] bytes = new byte[1 << 20];
        new Random(9).nextBytes(bytes);
        try (DeviceStream stream = device.openStream();
                DeviceBuffer memory = device.allocate(2 << 20);
                PinnedBuffer up = device.allocatePinned(1 << 20);
                PinnedBuffer down = device.allocatePinned(1 << 20)) {
            up.view().put(bytes);
            stream.fill(memory, (byte) 7);
            stream.upload(up.slice(100, 5000), memory.slice(4001, 5000));
            stream.download(memory.slice(4000, 5002), down.slice(13, 5002));
            stream.synchronise();
            byte[] back = new byte[5002];
            down.view().position(13).get(back);
            assertThat(back[0]).isEqualTo((byte) 7);
            assertThat(back[5001]).isEqualTo((byte) 7);
            assertThat(back).containsSubsequence(Arrays.copyOfRange(bytes, 100, 5100));
        }
    }

    @Test
    void sizesThatDifferAreRefused() throws DeviceException {
        try (DeviceStream stream = device.openStream();
                DeviceBuffer memory = device.allocate(1000);
                PinnedBuffer pinned = device.allocatePinned(1001)) {
            assertThatThrownBy(() -> stream.upload(pinned, memory)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> stream.download(memory, pinned)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> memory.slice(1, 1000)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void tooMuchMemoryIsRefusedAndTheDeviceLivesOn() throws DeviceException {
        DeviceException refused = catchThrowableOfType(DeviceException.class, () -> device.allocate(1L << 50));
        assertThat(refused.failure()).isEqualTo(DeviceException.Failure.OUT_OF_MEMORY);
        device.allocate(1 << 20).close();
    }

    @Test
    void theReportSaysThatEveryKernelLoads() {
        DeviceReport report = DeviceReport.collect(KernelCatalog.contracts());
        assertThat(report.kernels()).isNotEmpty().allMatch(status -> status.state() == KernelStatus.State.LOADED);
    }

    @Test
    void aModuleOfAnotherVersionIsRefused() {
        KernelContract contract = KernelCatalog.contracts().get(0);
        KernelContract newer = new KernelContract(contract.word(), contract.abi() + 1, contract.constants());
        assertThat(refusal(newer).state()).isEqualTo(KernelStatus.State.MISMATCH);
        assertThat(refusal(newer).reason()).contains("checksum_abi");
        KernelContract more = new KernelContract(contract.word(), contract.abi(), Map.of("checksum_no_such", 1));
        assertThat(refusal(more).reason()).contains("checksum_no_such is absent");
    }

    @Test
    void aModuleThatIsNotThereIsMissing() {
        assertThat(refusal(new KernelContract("nosuchword", 1, Map.of())).state())
                .isEqualTo(KernelStatus.State.MISSING);
    }

    @Test
    void anEntryThatIsNotThereIsRefused() throws Exception {
        try (KernelModule module =
                KernelModule.load(device, KernelCatalog.contracts().get(0))) {
            assertThatThrownBy(() -> module.function("no_such_entry"))
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("no_such_entry");
        }
    }

    private static KernelStatus refusal(KernelContract contract) {
        return catchThrowableOfType(
                        KernelUnavailableException.class,
                        () -> KernelModule.load(device, contract).close())
                .status();
    }
}
