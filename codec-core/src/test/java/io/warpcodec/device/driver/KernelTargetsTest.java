package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.engine.gpu.KernelCatalog;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelTargetsTest {

    private static final int TURING = 75;

    @ParameterizedTest
    @CsvSource({
        "75, '', 7, 5, machine code",
        "80, 75, 8, 6, machine code",
        "86, 75, 8, 0, 'portable code, which the driver compiled'",
        "90, 75, 7, 5, 'portable code, which the driver compiled'",
        "90, 75, 12, 0, 'portable code, which the driver compiled'",
        "'75,120', '', 12, 1, machine code",
        "90, 75, 7, 0, no code",
        "90, '', 10, 0, no code",
        "'', '', 9, 0, no code",
    })
    void aDeviceRunsMachineCodeOfItsKindOrPortableCodeThatIsNotNewer(
            String machine, String portable, int major, int minor, String code) {
        assertThat(KernelTargets.parse(machine, portable).fit(major, minor)).hasToString(code);
    }

    @Test
    void peopleReadBothKinds() {
        assertThat(KernelTargets.parse("75,90", "75"))
                .hasToString("machine code for 75,90, portable code for 75 and newer");
        assertThat(KernelTargets.parse("", "")).hasToString("machine code for nothing");
    }

    @Test
    void everyFatbinHoldsWhatTheBuildSays() throws IOException {
        assumeTrue(KernelImages.unavailableReason().isEmpty(), "the kernels jar was built without nvcc");
        KernelTargets targets = KernelImages.targets();
        for (KernelContract contract : KernelCatalog.contracts()) {
            List<Fatbin.Image> images = Fatbin.parse(
                            KernelImages.read(contract.word()).orElseThrow())
                    .images();
            assertThat(images)
                    .filteredOn(Fatbin.Image::machine)
                    .extracting(Fatbin.Image::capability)
                    .containsExactlyInAnyOrderElementsOf(targets.machineCode());
            assertThat(images)
                    .filteredOn(image -> !image.machine())
                    .extracting(Fatbin.Image::capability)
                    .containsExactlyInAnyOrderElementsOf(targets.portable());
        }
    }

    @Test
    void everyGpuSinceTuringHasCode() {
        assumeTrue(KernelImages.unavailableReason().isEmpty(), "the kernels jar was built without nvcc");
        KernelTargets targets = KernelImages.targets();
        assertThat(targets.portable()).contains(TURING);
        assertThat(targets.fit(7, 5)).isNotEqualTo(KernelTargets.Fit.NONE);
        assertThat(targets.fit(13, 0)).isNotEqualTo(KernelTargets.Fit.NONE);
    }
}
