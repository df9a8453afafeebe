package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.junit.jupiter.api.Test;

/** Messages for a side that does not read them. */
class MessageWriterTest {
    private static final int MOST_BYTES = 4 * MessageWriter.OWN_BYTES;
    private static final long BUDGET_BYTES = 2L * (MOST_BYTES - MessageWriter.OWN_BYTES);

    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private int takes;
    private final WritableByteChannel channel = new WritableByteChannel() {
        @Override
        public int write(ByteBuffer message) {
            int count = Math.min(takes, message.remaining());
            for (int at = 0; at < count; at++) {
                sent.write(message.get());
            }
            takes -= count;
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    };
    private final WaitingBudget budget = new WaitingBudget(BUDGET_BYTES);

    private MessageWriter writer() {
        return new MessageWriter(channel, MOST_BYTES, budget, () -> {});
    }

    private static int fill(MessageWriter writer) throws Exception {
        int count = 0;
        while (true) {
            try {
                writer.send(NodeProtocol.of(NodeProtocol.NO_SEGMENT));
                count++;
            } catch (ProtocolException full) {
                return count;
            }
        }
    }

    @Test
    void smallMessagesCountAsWhatTheyTakeOfTheHeap() throws Exception {
        assertThat(fill(writer())).isBetween(MOST_BYTES / 200, MOST_BYTES / 100);
    }

    @Test
    void allWritersTogetherHoldNoMoreThanTheirBudgetAndALittleEach() throws Exception {
        MessageWriter first = writer();
        int count = fill(first);
        assertThat(fill(writer())).isEqualTo(count);
        MessageWriter third = writer();
        // a quarter is its own, and a message or two that neither of the others took
        assertThat(fill(third)).isBetween(count / 4 - 3, count / 4 + 3);
        first.dropAll();
        assertThat(fill(third)).isBetween(count * 3 / 4 - 6, count * 3 / 4 + 6);
    }

    @Test
    void whatIsSentGivesItsBytesBack() throws Exception {
        MessageWriter writer = writer();
        fill(writer);
        takes = Integer.MAX_VALUE;
        assertThat(writer.goOn()).isTrue();
        assertThat(budget.leftBytes()).isEqualTo(BUDGET_BYTES);
    }

    @Test
    void aMessageThatIsSentInPartIsSentWholeAndTheOthersAreDropped() throws Exception {
        MessageWriter writer = writer();
        takes = 2;
        writer.send(NodeProtocol.of(NodeProtocol.NO_SEGMENT));
        writer.send(NodeProtocol.of(NodeProtocol.NO_SEGMENT));
        writer.dropWhole();
        writer.send(NodeProtocol.of(NodeProtocol.REFUSED));
        takes = Integer.MAX_VALUE;
        assertThat(writer.goOn()).isTrue();
        assertThat(sent.toByteArray())
                .containsExactly(1, 0, 0, 0, NodeProtocol.NO_SEGMENT, 1, 0, 0, 0, NodeProtocol.REFUSED);
        assertThatThrownBy(() -> {
                    takes = 0;
                    fill(writer);
                    writer.send(NodeProtocol.of(NodeProtocol.NO_SEGMENT));
                })
                .isInstanceOf(ProtocolException.class);
    }
}
