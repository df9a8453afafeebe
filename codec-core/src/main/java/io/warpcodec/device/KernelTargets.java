package io.warpcodec.device;

import java.util.Arrays;
import java.util.List;

/**
 * What the kernels were compiled for. Machine code runs on devices of its compute capability and on those of the same major number and a higher
 * minor one; portable code (PTX) on those of its compute capability and all newer ones, once the driver has compiled it.
 *
 * @param machine compute capabilities with machine code, without the dot: 75, 90, 120
 * @param portable compute capabilities with portable code
 */
record KernelTargets(List<Integer> machine, List<Integer> portable) {

    private static final int MAJOR = 10;

    /** Copies the lists. */
    KernelTargets {
        machine = List.copyOf(machine);
        portable = List.copyOf(portable);
    }

    /** Reads what the build wrote: numbers separated by commas; what is not a number is left out. */
    static KernelTargets of(String machine, String portable) {
        return new KernelTargets(numbers(machine), numbers(portable));
    }

    /** Which code a device of this compute capability runs, in a few words; {@code no code} if none. */
    String codeFor(int major, int minor) {
        for (int target : machine) {
            if (target / MAJOR == major && target % MAJOR <= minor) {
                return "machine code";
            }
        }
        for (int target : portable) {
            if (target <= major * MAJOR + minor) {
                return "portable code, which the driver compiled";
            }
        }
        return "no code";
    }

    /** All targets, for people. */
    @Override
    public String toString() {
        return "machine code for " + (machine.isEmpty() ? "nothing" : joined(machine))
                + (portable.isEmpty() ? "" : ", portable code for " + joined(portable) + " and newer");
    }

    private static List<Integer> numbers(String list) {
        return Arrays.stream(list.split(","))
                .filter(word -> word.matches("[0-9]{2,4}"))
                .map(Integer::valueOf)
                .toList();
    }

    private static String joined(List<Integer> targets) {
        return String.join(",", targets.stream().map(String::valueOf).toList());
    }
}
