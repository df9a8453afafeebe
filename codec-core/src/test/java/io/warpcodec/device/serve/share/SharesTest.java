package io.warpcodec.device.serve.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.Denial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How connections, memory, orders and turns are divided: a share binds only while another user asks. */
class SharesTest {
    private static final int MOST = 128;
    private static final int RESERVE = 32;
    /** Of clients that have none. */
    private static final int MOST_OF_FIRST = MOST + RESERVE / 2;

    private static final long NOW = 1000;

    private final MemoryShares memory = new MemoryShares(8, MOST, RESERVE);

    private int firstSegments(Object user, int asked, long nowNanos) {
        int got = 0;
        for (int client = 0; client < asked; client++) {
            got += memory.tryTake(user, 0, nowNanos) == null ? 1 : 0;
        }
        return got;
    }

    // ---- memory

    @Test
    void allClientsOfTheOnlyUserGetMemory() {
        assertThat(firstSegments("one", 2 * MOST, NOW)).isEqualTo(MOST_OF_FIRST);
        assertThat(memory.tryTake("one", 0, NOW)).isEqualTo(Denial.MEMORY_FULL);
    }

    /** Sixteen of them want all that a client may have. */
    @Test
    void whileClientsBeginFurtherSegmentsLeaveOneForEachOf128() {
        int further = 0;
        for (int client = 0; client < 16; client++) {
            for (int own = 0; own < 8; own++) {
                Denial denial = memory.tryTake("one", own, NOW);
                assertThat(own == 0 ? denial : null).isNull();
                further += own > 0 && denial == null ? 1 : 0;
            }
        }
        assertThat(further).isBetween(MOST / 16, MOST / 8);
        assertThat(firstSegments("one", 112, NOW)).isEqualTo(112);
        assertThat(memory.tryTake("one", 8, NOW)).isEqualTo(Denial.CLIENT_FULL);
    }

    @Test
    void laterFurtherSegmentsLeaveHalf() {
        firstSegments("one", 10, NOW);
        long later = NOW + MemoryShares.BEGIN_NANOS;
        for (int segment = 10; segment < MOST / 2; segment++) {
            assertThat(memory.tryTake("one", 7, later)).isNull();
        }
        assertThat(memory.tryTake("one", 7, later)).isEqualTo(Denial.USER_FULL);
    }

    @Test
    void whoComesBehindOneThatHasAllGetsWhatIsLeftOfTheReserve() {
        firstSegments("one", MOST + RESERVE, NOW);
        List<Integer> got = new ArrayList<>();
        for (int user = 0; user < 6; user++) {
            got.add(firstSegments("user " + user, MOST, NOW));
        }
        assertThat(got).containsExactly(8, 4, 2, 1, 1, 0);
    }

    @Test
    void aUserThatHasMuchGetsNoMoreWhileOneThatHasLittleWaits() {
        firstSegments("one", MOST_OF_FIRST, NOW);
        assertThat(firstSegments("other", MOST, NOW)).isEqualTo(RESERVE / 4);
        for (int came = 0; came < 20; came++) {
            memory.give("one");
            assertThat(memory.tryTake("one", 0, NOW)).isNotNull();
        }
        // the reserve is whole again before the rest is lent
        assertThat(firstSegments("other", MOST, NOW)).isEqualTo(20 - RESERVE / 4);
        // it does not ask any more
        memory.give("one");
        memory.give("other");
        long later = NOW + MemoryShares.WAITS_NANOS + 1;
        memory.give("one");
        memory.give("other");
        assertThat(firstSegments("one", 1, later)).isEqualTo(1);
    }

    @Test
    void aUserThatWaitsForSecondSegmentsKeepsNoOtherFromAFirst() {
        firstSegments("one", MOST - RESERVE, NOW);
        assertThat(memory.tryTake("other", 0, NOW)).isNull();
        assertThat(memory.tryTake("other", 1, NOW)).isEqualTo(Denial.USER_FULL);
        assertThat(memory.tryTake("one", 0, NOW)).isNull();
    }

    @Test
    void whatAUserHadIsCountedUntilItIsClosed() {
        for (int round = 0; round < 1000; round++) {
            assertThat(firstSegments("churn", MOST + RESERVE, NOW)).isEqualTo(MOST_OF_FIRST);
            for (int segment = 0; segment < MOST_OF_FIRST; segment++) {
                memory.give("churn");
            }
        }
        assertThat(firstSegments("other", 1, NOW)).isEqualTo(1);
    }

    // ---- connections

    private static int connections(ConnectionShares shares, Object user) {
        int count = 0;
        while (shares.tryEnter(user)) {
            count++;
        }
        return count;
    }

    @Test
    void aUserHasTwoThirdsOfTheConnectionsAndTheNextOfTheRest() {
        ConnectionShares shares = new ConnectionShares(384);
        assertThat(connections(shares, "one")).isEqualTo(256);
        assertThat(connections(shares, "other")).isBetween(80, 90);
        assertThat(connections(shares, "third")).isGreaterThan(20);
        for (int gone = 0; gone < 256; gone++) {
            shares.leave("one");
        }
        assertThat(connections(shares, "one")).isGreaterThan(150);
    }

    // ---- orders

    @Test
    void ordersOfOneUserLeaveHalfOfTheHeapForThoseOfOthers() {
        OrderBudget orders = new OrderBudget(1000, 400);
        long read = 0;
        while (orders.mayRead("one", 1)) {
            orders.take("one", 10);
            read += 10;
        }
        assertThat(read).isEqualTo(500);
        assertThat(orders.mayRead("other", 1)).isTrue();
        assertThat(orders.mayRead("other", 400)).isFalse();
        assertThat(orders.mayRead("one", 0)).as("a client without orders").isTrue();
        orders.give("one", read);
        assertThat(orders.mayRead("one", 399)).isTrue();
    }

    // ---- credit

    @Test
    void whatIsOfNoUseIsListenedToAtABoundedRate() {
        long second = TimeUnit.SECONDS.toNanos(1);
        Credit credit = new Credit(0);
        long now = 0;
        int said = 0;
        while (now < 100 * second) {
            credit.spend(1);
            said++;
            now += credit.debtNanos(now);
        }
        assertThat(said).isBetween(20_000, 30_000);
        // a client of ours that wants memory asks once a second
        Credit honest = new Credit(0);
        for (long at = 0; at < 1000; at++) {
            honest.spend(32);
            assertThat(honest.debtNanos(at * second)).isZero();
        }
    }

    // ---- turns

    private static final int MEBI = 1 << 20;

    /** Counts pieces of each user among the first ones. */
    private static long of(FairTurns<String> turns, String user, int pieces) {
        long count = 0;
        for (int piece = 0; piece < pieces; piece++) {
            count += turns.next().equals(user) ? 1 : 0;
        }
        return count;
    }

    @Test
    void aUserWithFortyConnectionsHasNoMoreTurnsThanOneWithOne() {
        FairTurns<String> turns = new FairTurns<>(work -> MEBI);
        for (int piece = 0; piece < 1000; piece++) {
            turns.add("many", piece % 40, "many");
        }
        for (int piece = 0; piece < 200; piece++) {
            turns.add("one", "client", "one");
        }
        assertThat(turns.cost()).isEqualTo(1200L * MEBI);
        assertThat(of(turns, "one", 200)).isBetween(95L, 105L);
        assertThat(of(turns, "one", 200)).isBetween(95L, 105L);
    }

    @Test
    void clientsOfAUserTakeTurnsToo() {
        FairTurns<String> turns = new FairTurns<>(work -> work.equals("long") ? 16 * MEBI : MEBI / 4);
        for (int piece = 0; piece < 100; piece++) {
            turns.add("user", "greedy", "long");
        }
        turns.add("user", "modest", "short");
        turns.add("other", "modest", "short");
        assertThat(of(turns, "short", 4)).isEqualTo(2);
    }

    @Test
    void whatIsTakenBackHasNoTurn() {
        FairTurns<String> turns = new FairTurns<>(work -> MEBI);
        turns.add("user", 1, "a");
        turns.add("user", 1, "b");
        turns.add("user", 2, "c");
        turns.add("other", 3, "d");
        assertThat(turns.remove("user", 1, "a")).isTrue();
        assertThat(turns.remove("user", 1, "a")).isFalse();
        assertThat(turns.remove("none", 1, "a")).isFalse();
        assertThat(turns.drop("other", 3)).containsExactly("d");
        assertThat(turns.drop("other", 3)).isEmpty();
        assertThat(turns.cost()).isEqualTo(2L * MEBI);
        assertThat(List.of(turns.next(), turns.next())).containsExactlyInAnyOrder("b", "c");
        assertThat(turns.isEmpty()).isTrue();
        assertThat(turns.cost()).isZero();
        turns.add("user", 1, "e");
        assertThat(turns.next()).isEqualTo("e");
    }
}
