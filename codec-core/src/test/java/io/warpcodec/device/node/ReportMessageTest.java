package io.warpcodec.device.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.node.ServiceReport.Client;
import io.warpcodec.device.node.ServiceReport.Window;
import io.warpcodec.device.node.ServiceReport.Work;
import io.warpcodec.metrics.FallbackReason;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ReportMessageTest {
    private static final Window WINDOW = new Window(10, 11, 12, 13, 14);

    private static Work work(Map<String, Long> failed) {
        return new Work(1, 2, 3, 4, failed, 6, 7, 8, 9);
    }

    private static ServiceReport report(List<Client> clients, int count) {
        return new ServiceReport(
                clients,
                count,
                20,
                21,
                22,
                23,
                work(Map.of("driver-error", 5L)),
                WINDOW,
                Map.of(Refusal.VERSION.word(), 24L),
                Map.of(Denial.MEMORY_FULL.word(), 25L));
    }

    private static ByteBuffer fields(ServiceReport report) {
        return ReportMessage.of(report).position(NodeProtocol.HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void whatIsSaidIsRead() {
        Client client = new Client("process 7", "alice", 30, 31, 32, work(Map.of("over-memory", 33L)), WINDOW);
        ServiceReport report = report(List.of(client), 1);
        assertThat(ReportMessage.read(fields(report))).isEqualTo(report);
    }

    /** Whatever the clients are called, and for however many reasons their work has failed. */
    @Test
    void noNumberOfClientsMakesItLongerThanAMessage() {
        Map<String, Long> failed = new TreeMap<>();
        for (FallbackReason reason : FallbackReason.values()) {
            failed.put(reason.word(), Long.MAX_VALUE);
        }
        List<Client> clients = new ArrayList<>();
        for (int client = 0; client < 5_000; client++) {
            clients.add(new Client("\u20ac".repeat(2000), "u".repeat(2000), client, 1, 1, work(failed), WINDOW));
        }
        ServiceReport report = report(clients, clients.size());
        ByteBuffer message = ReportMessage.of(report);
        assertThat(message.remaining() - Integer.BYTES)
                .isEqualTo(message.getInt(0))
                .isLessThanOrEqualTo(NodeProtocol.MOST_MESSAGE_BYTES);
        ServiceReport read = ReportMessage.read(fields(report));
        assertThat(read.clientCount()).isEqualTo(5_000);
        // the first, so many as fit
        assertThat(read.clients())
                .hasSizeGreaterThan(50)
                .extracting(Client::memoryBytes)
                .startsWith(0L, 1L, 2L);
    }

    @Test
    void countsThatCannotBeRightAreRefused() {
        ByteBuffer fields = fields(report(List.of(), 0));
        fields.putInt(fields.limit() - Integer.BYTES, -1);
        assertThatThrownBy(() -> ReportMessage.read(fields)).isInstanceOf(IllegalArgumentException.class);
        ByteBuffer cut = fields(report(List.of(), 0));
        cut.limit(cut.limit() - 1);
        assertThatThrownBy(() -> ReportMessage.read(cut)).isInstanceOf(java.nio.BufferUnderflowException.class);
    }
}
