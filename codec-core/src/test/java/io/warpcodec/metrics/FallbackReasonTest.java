package io.warpcodec.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Direction;
import io.warpcodec.Format;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FallbackReasonTest {
    /** Dashboards and alerts name these words: a change here breaks them. */
    private static final String[] WORDS = {
        "auto",
        "binding-in-use",
        "block-refused",
        "block-too-long",
        "cancelled",
        "checksum",
        "chunk-undecodable",
        "device-failed",
        "device-lost",
        "node-closed",
        "node-lost",
        "device-slow",
        "driver-error",
        "empty",
        "engine-failed",
        "failed",
        "gpu-engine-failed",
        "header-fields",
        "interrupted",
        "level",
        "linked-blocks",
        "many-blocks",
        "no-assigned-device",
        "no-binding",
        "no-content-size",
        "no-device",
        "no-driver",
        "no-gpu-engine",
        "no-kernels",
        "not-well-formed",
        "old-driver",
        "out-of-memory",
        "over-budget",
        "over-memory",
        "pool-closed",
        "pool-elsewhere",
        "pool-full",
        "pool-rests",
        "pool-starting",
        "results-revoked",
        "segment-empty",
        "segment-refused",
        "segment-short",
        "segments-short",
        "session",
        "sidecar-lying",
        "sidecar-stale",
        "sidecar-unreadable",
        "start-unpaid",
        "units-short",
        "unsupported",
        "unsupported-platform",
        "verify-mismatch",
    };

    @Test
    void theWordsInCounterNamesStayWhatTheyAre() {
        assertThat(Arrays.stream(FallbackReason.values()).map(FallbackReason::word))
                .containsExactlyInAnyOrder(WORDS);
    }

    @ParameterizedTest
    @EnumSource(FallbackReason.class)
    void aCounterIsNamedByDirectionFormatAndReason(FallbackReason reason) {
        String name = "fallback.decode.lz4." + reason.word();
        long before = Metrics.counter(name).sum();
        Metrics.countFallback(Direction.DECODE, Format.LZ4, reason);
        assertThat(Metrics.counter(name).sum() - before).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(FallbackReason.class)
    void eachReasonIsExplainedInWholeSentences(FallbackReason reason) {
        assertThat(reason.explanation()).matches("[A-Z].*\\.").doesNotContain("|");
        assertThat(reason.remedy()).matches("(?s)[A-Z`].*[.]").doesNotContain("|");
    }
}
