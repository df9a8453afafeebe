package io.warpcodec.device.kernel;

import io.warpcodec.device.driver.ArgumentLayout;
import java.util.HashMap;
import java.util.Map;

/**
 * What the Java side believes about a kernel module; checked against the numbers that the module exports before any
 * of its kernels runs.
 *
 * @param word the module's name: {@code word.cu}, {@code word.fatbin}
 * @param abi value of the module's 32-bit global {@code word_abi}
 * @param constants 32-bit globals by name, with the values that they must have
 */
public record KernelContract(String word, int abi, Map<String, Integer> constants) {
    /** Copies the map. */
    public KernelContract {
        constants = Map.copyOf(constants);
    }

    /** The contract of a module that exports nothing but its ABI. */
    public static KernelContract named(String word, int abi) {
        return new KernelContract(word, abi, Map.of());
    }

    /** This contract with one more constant, which the module calls {@code word_name}. */
    public KernelContract constant(String name, int value) {
        return and(Map.of(word + "_" + name, value));
    }

    /** This contract with what the module says of structs that its kernels take. */
    public KernelContract taking(ArgumentLayout... layouts) {
        KernelContract more = this;
        for (ArgumentLayout layout : layouts) {
            more = more.and(layout.constants(word));
        }
        return more;
    }

    /** This contract with more constants. */
    public KernelContract and(Map<String, Integer> more) {
        Map<String, Integer> all = new HashMap<>(constants);
        all.putAll(more);
        return new KernelContract(word, abi, all);
    }
}
