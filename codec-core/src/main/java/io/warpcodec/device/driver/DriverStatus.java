package io.warpcodec.device.driver;

import io.warpcodec.metrics.FallbackReason;
import java.util.Locale;

/**
 * Whether the NVIDIA driver can be used in this JVM, as an ordinary answer.
 *
 * @param state the answer
 * @param reason one sentence for a log line or {@code doctor}; never empty
 * @param driverVersion newest CUDA version that the driver supports, as 1000 * major + 10 * minor (13.0 is 13000); 0
 *     where unknown
 */
public record DriverStatus(State state, String reason, int driverVersion) {

    /** What was found. */
    public enum State {
        /** At least one device can be opened. */
        READY(null),
        /** No native library exists for this operating system or processor. */
        UNSUPPORTED_PLATFORM(FallbackReason.UNSUPPORTED_PLATFORM),
        /** jcuda or its native library is not on the class path, or cannot be loaded. */
        NO_BINDING(FallbackReason.NO_BINDING),
        /** The folder of native libraries is mounted noexec. */
        NOEXEC_FOLDER(FallbackReason.NO_BINDING),
        /** Another class loader of this JVM has loaded the native library already. */
        BINDING_IN_USE(FallbackReason.BINDING_IN_USE),
        /** libcuda.so.1 is not there. */
        NO_DRIVER(FallbackReason.NO_DRIVER),
        /** The driver is too old for the kernels. */
        OLD_DRIVER(FallbackReason.OLD_DRIVER),
        /** The driver works but sees no device. */
        NO_DEVICE(FallbackReason.NO_DEVICE),
        /** The driver answered with an error. */
        FAILED(FallbackReason.FAILED);

        private final FallbackReason fallback;

        State(FallbackReason fallback) {
            this.fallback = fallback;
        }

        /** The state as one word: lower case, with hyphens. */
        public String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Why work goes to the CPU in this state; null where it need not. */
        public FallbackReason fallback() {
            return fallback;
        }
    }

    /** True where devices can be opened. */
    public boolean ready() {
        return state == State.READY;
    }

    /** {@link #driverVersion} for people, such as {@code 13.0}; {@code unknown} where it is 0. */
    public String driverVersionText() {
        return versionText(driverVersion);
    }

    static String versionText(int version) {
        return version == 0 ? "unknown" : version / 1000 + "." + version % 1000 / 10;
    }

    /** An answer without a driver version. */
    public static DriverStatus of(State state, String reason) {
        return new DriverStatus(state, reason, 0);
    }
}
