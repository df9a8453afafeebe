package io.warpcodec.device.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * For which GPUs the kernels of the jar were compiled, by compute capability times ten (9.0 is 90). Machine code runs
 * on devices of the same major version and the same or a newer minor one. Portable code (PTX) runs on every device of
 * the same capability or a newer one, after the driver has compiled it, which it does once for a user and keeps.
 *
 * @param machineCode capabilities with machine code
 * @param portable capabilities with portable code
 */
public record KernelTargets(List<Integer> machineCode, List<Integer> portable) {
    private static final int TEN = 10;

    /** How a device comes to run the kernels. */
    public enum Fit {
        MACHINE_CODE("machine code"),
        /** By portable code, which the driver compiles once. */
        COMPILED_ONCE("portable code, which the driver compiled"),
        NONE("no code");

        private final String text;

        Fit(String text) {
            this.text = text;
        }

        /** For people. */
        @Override
        public String toString() {
            return text;
        }
    }

    /** Copies the lists. */
    public KernelTargets {
        machineCode = List.copyOf(machineCode);
        portable = List.copyOf(portable);
    }

    /**
     * Reads what the build wrote: capabilities such as {@code 75,90}. Machine code that holds for one capability
     * exactly ({@code 90a}) is not a promise for others; words that are no capability are left out.
     */
    public static KernelTargets parse(String machineCode, String portable) {
        return new KernelTargets(capabilities(machineCode), capabilities(portable));
    }

    private static List<Integer> capabilities(String text) {
        List<Integer> found = new ArrayList<>();
        for (String word : text.trim().split("[\\s,;]+")) {
            if (word.matches("[0-9]{2,3}[af]?")) {
                found.add(Integer.parseInt(word.replaceFirst("[af]$", "")));
            }
        }
        return found;
    }

    /** How this device comes to run them. */
    public Fit fit(DeviceInfo device) {
        return fit(device.computeMajor(), device.computeMinor());
    }

    Fit fit(int major, int minor) {
        int capability = TEN * major + minor;
        if (machineCode.stream().anyMatch(each -> each / TEN == major && each <= capability)) {
            return Fit.MACHINE_CODE;
        }
        return portable.stream().anyMatch(each -> each <= capability) ? Fit.COMPILED_ONCE : Fit.NONE;
    }

    /** For people: {@code compute capability 8.0, 9.0, and compiled by the driver 7.5 and newer}. */
    public String text() {
        String exact = machineCode.stream().map(KernelTargets::dotted).collect(Collectors.joining(", "));
        String newer = portable.stream()
                .map(each -> "compiled by the driver " + dotted(each) + " and newer")
                .collect(Collectors.joining(", "));
        return "compute capability " + exact + (exact.isEmpty() || newer.isEmpty() ? "" : ", and ") + newer;
    }

    /** What the build wrote, for people: {@code machine code for 90, portable code for 75 and newer}. */
    @Override
    public String toString() {
        return "machine code for " + (machineCode.isEmpty() ? "nothing" : joined(machineCode))
                + (portable.isEmpty() ? "" : ", portable code for " + joined(portable) + " and newer");
    }

    private static String joined(List<Integer> capabilities) {
        return capabilities.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private static String dotted(int capability) {
        return capability / TEN + "." + capability % TEN;
    }
}
