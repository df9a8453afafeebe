package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EnginesTest {
    /** They are found by name, and a process that does not find them would start devices whatever others do. */
    @Test
    void theTurnsOfThisMachineAreFound() {
        assertThat(Engines.startTurns().getClass().getSimpleName()).isEqualTo("MachineStarts");
    }
}
