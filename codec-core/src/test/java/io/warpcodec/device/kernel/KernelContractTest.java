package io.warpcodec.device.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.driver.Fatbin;
import io.warpcodec.device.driver.KernelImages;
import io.warpcodec.engine.gpu.KernelCatalog;
import io.warpcodec.engine.gpu.scripted.HostKernels;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a launcher asks of a module when it loads it, asked of the machine code without a device. */
class KernelContractTest {

    @BeforeEach
    void thereAreKernels() {
        assumeTrue(KernelImages.unavailableReason().isEmpty(), "the kernels jar was built without nvcc");
    }

    private static List<DeviceCode> machineCode(KernelContract contract) throws IOException {
        return Fatbin.parse(KernelImages.read(contract.word()).orElseThrow()).images().stream()
                .filter(Fatbin.Image::machine)
                .map(image -> DeviceCode.parse(image.content()))
                .toList();
    }

    @Test
    void everyModuleExportsWhatItsContractNamesAndNothingElse() throws IOException {
        for (KernelContract contract : KernelCatalog.contracts()) {
            Map<String, Integer> expected = new TreeMap<>(contract.constants());
            expected.put(contract.word() + "_abi", contract.abi());
            assertThat(machineCode(contract)).isNotEmpty().allSatisfy(code -> {
                Map<String, Integer> found = new TreeMap<>(code.numbers());
                found.keySet().removeIf(name -> name.startsWith("_Z"));
                assertThat(found).isEqualTo(expected);
            });
        }
    }

    @Test
    void modulesWhoseKernelsAnswerAStatusExportTheList() {
        List<String> checked = KernelCatalog.contracts().stream()
                .filter(contract -> contract.constants().containsKey(contract.word() + "_status_count"))
                .map(KernelContract::word)
                .toList();
        assertThat(checked)
                .containsExactlyInAnyOrder(
                        "bwt_encode",
                        "bzip2",
                        "bzip2_encode",
                        "deflate_decode",
                        "deflate_encode",
                        "lz4",
                        "lz4_price",
                        "plz",
                        "snappy",
                        "suffixarray",
                        "zstd",
                        "zstd_encode");
    }

    @Test
    void everyKernelThatTheHostStandsInForIsAnEntryOfAModule() throws IOException {
        Set<String> entries = new HashSet<>();
        for (KernelContract contract : KernelCatalog.contracts()) {
            machineCode(contract).forEach(code -> entries.addAll(code.entries()));
        }
        assertThat(entries).containsAll(HostKernels.all().keySet());
    }
}
