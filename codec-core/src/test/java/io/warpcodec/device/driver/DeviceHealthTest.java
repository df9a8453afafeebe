package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.driver.DeviceException.Failure;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;

class DeviceHealthTest {
    /**
     * Numbers of errors after which, by the driver's documentation:
     *
     * <ul>
     *   <li>the context "must be destroyed" or the "process must be terminated and relaunched" (214, 220, 700, 702,
     *       709, 710, 714 to 719);
     *   <li>the device, the driver or the server behind it is not there (4, 46, 100, 101, 201, 802, 803, 806, 810, 909,
     *       911);
     *   <li>nothing is said (999).
     * </ul>
     */
    private static final Set<Integer> STICKY = Set.of(
            4, 46, 100, 101, 201, 214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 802, 803, 806, 810, 909,
            911, 999);

    /** What says nothing of a device but that an image is not for it. */
    private static final Map<Integer, Failure> IMAGES =
            Map.of(200, Failure.INVALID_IMAGE, 209, Failure.NO_CODE_FOR_DEVICE, 222, Failure.NO_CODE_FOR_DEVICE);

    @Test
    void everyCodeOfTheDriverMeansWhatItsDocumentationSays() throws IllegalAccessException {
        Map<Integer, Failure> found = new TreeMap<>();
        Map<Integer, Failure> expected = new TreeMap<>();
        for (var constant : CUresult.class.getFields()) {
            if (Modifier.isStatic(constant.getModifiers()) && constant.getInt(null) != 0) {
                int code = constant.getInt(null);
                found.put(code, DeviceHealth.failureOf(code));
                expected.put(
                        code,
                        code == 2
                                ? Failure.OUT_OF_MEMORY
                                : STICKY.contains(code)
                                        ? Failure.DEVICE_LOST
                                        : IMAGES.getOrDefault(code, Failure.OTHER));
            }
        }
        assertThat(found).hasSizeGreaterThan(80).isEqualTo(expected);
        assertThat(found.keySet()).containsAll(new TreeSet<>(STICKY));
    }

    @Test
    void anUnknownCodeIsNotSticky() {
        int[] unknown = {226, 721, 913, 1000, -1};
        assertThat(Arrays.stream(unknown).mapToObj(DeviceHealth::failureOf)).containsOnly(Failure.OTHER);
    }

    @Test
    void aDeviceIsGivenUpOnceAndTheFirstReasonStays() {
        DeviceHealth health = new DeviceHealth();
        assertThat(health.death()).isNull();
        assertThat(health.giveUp("first")).isTrue();
        assertThat(health.giveUp("second")).isFalse();
        assertThat(health.death()).isEqualTo("first");
    }
}
