package io.warpcodec.benchmarks.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SideInTurnTest {
    @Test
    void alternatingBeginsWithOurs() {
        assertThat(fourTurns("alternating")).containsExactly(Side.OURS, Side.STOCK, Side.OURS, Side.STOCK);
    }

    @Test
    void oneSideStays() {
        assertThat(fourTurns("ours")).containsOnly(Side.OURS);
        assertThat(fourTurns("stock")).containsOnly(Side.STOCK);
    }

    private static List<Side> fourTurns(String value) {
        SideInTurn turn = new SideInTurn();
        return IntStream.range(0, 4)
                .mapToObj(each -> {
                    turn.next(value);
                    return turn.side();
                })
                .toList();
    }
}
