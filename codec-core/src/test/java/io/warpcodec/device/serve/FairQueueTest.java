package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.serve.QueuedWork.Client;
import io.warpcodec.metrics.FallbackReason;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose work is done when, whatever other clients do. */
class FairQueueTest {
    private static final int PIECES_OUTSTANDING = 4;

    /**
     * The pieces of the client that goes: in waves, in the pool's queue behind those, in the queue, and all of these.
     */
    @ParameterizedTest
    @CsvSource({"1, true", "3, true", "4, true", "5, true", "9, true", "40, true", "1, false", "4, false", "9, false"})
    void aClientThatGoesKeepsNoOtherWaiting(int pieces, boolean begun) throws Exception {
        try (QueuedWork work = new QueuedWork((long) PIECES_OUTSTANDING * QueuedWork.PIECE_BYTES)) {
            Client goes = new Client("one");
            Client waits = new Client("other");
            List<ClientWork> left = work.ask(goes, pieces);
            if (begun) {
                work.awaitBegun(Math.min(pieces, PIECES_OUTSTANDING));
            }
            work.ask(waits, 3);
            work.queue.drop(goes, left);
            work.go();
            QueuedWork.await(() -> waits.over.size() == 3);
        }
    }

    /** Three clients that give a wave's input and ask for one byte. */
    @Test
    void whoAsksForOneByteWaitsForWhatItGives() throws Exception {
        try (QueuedWork work = new QueuedWork((long) PIECES_OUTSTANDING * QueuedWork.PIECE_BYTES)) {
            List<Client> tiny = List.of(new Client("one"), new Client("one"), new Client("one"));
            for (Client client : tiny) {
                work.ask(client, 500, QueuedWork.PIECE_BYTES, 1);
            }
            AtomicLong before = new AtomicLong();
            Client honest = new Client("other") {
                @Override
                public void over(ClientWork done, FallbackReason why) {
                    before.set(tiny.stream()
                            .mapToLong(client -> client.over.size())
                            .sum());
                    super.over(done, why);
                }
            };
            work.ask(honest, 1);
            work.go();
            QueuedWork.await(() -> honest.over.size() == 1);
            assertThat(before).hasValueLessThan(300);
        }
    }

    @Test
    void thePoolHasNoMoreThanKeepsItBusyWhateverTheSizeOfOutputs() throws Exception {
        try (QueuedWork work = new QueuedWork((long) PIECES_OUTSTANDING * QueuedWork.PIECE_BYTES)) {
            Client client = new Client("one");
            List<ClientWork> pieces = work.ask(client, 500, QueuedWork.PIECE_BYTES, 1);
            assertThat(pieces.stream().filter(piece -> piece.lease != null).count())
                    .isLessThanOrEqualTo(PIECES_OUTSTANDING);
            List<ClientWork> small = work.ask(new Client("other"), 2000, 1, 1);
            assertThat(small.get(1999).lease).isNull();
        }
    }
}
