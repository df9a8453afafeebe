package io.warpcodec.stream.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A defect in a scanner or an engine, seen as an exception that nothing declares, leaves no lease of a unit behind. */
class ThrowingScannerTest {
    private static final CodecOptions CPU = CodecOptions.DEFAULTS.withMode(Mode.CPU);
    private static final int UNIT_BYTES = 100;

    private final Set<Lease> lent = new HashSet<>();
    private final Lending cpu = new Lending();
    private final EngineSelector engines = new EngineSelector(cpu, new AcceleratorStart(null, null, null));

    /** A CPU engine that works ahead, remembers what it lends, and decodes nothing. */
    private final class Lending extends ForwardingEngine {
        private boolean failing;

        @Override
        public boolean isAsynchronous() {
            return true;
        }

        @Override
        public Lease lease(int bytes, String owner) {
            Lease[] self = new Lease[1];
            Lease given = super.lease(bytes, owner);
            self[0] = new Lease(given.memory(), owner, () -> {
                lent.remove(self[0]);
                given.release();
            });
            lent.add(self[0]);
            return self[0];
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            if (failing) {
                throw new IllegalStateException("a bug in an engine");
            }
            return super.decode(format, options, chunks);
        }
    }

    /** Where the scanner throws. */
    enum Where {
        NEXT,
        PASSED,
        STATE
    }

    /** Cuts chunks of one size; throws in its n-th call, counted from 1. */
    private static class Throwing implements Scanner {
        private final Where where;
        private int callsLeft;

        Throwing(Where where, int call) {
            this.where = where;
            this.callsLeft = call;
        }

        private void called(Where here) {
            if (here == where && --callsLeft == 0) {
                throw new IllegalStateException("a bug in a scanner");
            }
        }

        @Override
        public Unit next(Window window) throws IOException {
            called(Where.NEXT);
            return window.require(UNIT_BYTES) ? Unit.chunk(UNIT_BYTES, UNIT_BYTES) : Unit.END;
        }

        @Override
        public void passed(Unit unit) {
            called(Where.PASSED);
        }

        @Override
        public ScannerState state() {
            called(Where.STATE);
            return null;
        }
    }

    private SourceWindow window() {
        return SourceWindows.decoding(
                new ByteArrayInputStream(new byte[50 * UNIT_BYTES]), 0, Format.SNAPPY, engines, CPU);
    }

    private BatchQueue queue(SourceWindow window, Scanner scanner) {
        UnitCutter cutter = new UnitCutter(CPU, window, scanner, null, Long.MAX_VALUE);
        return new BatchQueue(Format.SNAPPY, CPU, engines, window, cutter);
    }

    @ParameterizedTest
    @EnumSource
    void unitsCutBeforeTheScannerThrewAreReleased(Where where) {
        SourceWindow window = window();
        BatchQueue queue = queue(window, new Throwing(where, 7));
        assertThatThrownBy(() -> queue.fill(true)).hasMessage("a bug in a scanner");
        assertThat(lent).hasSize(1).allMatch(lease -> lease.isHeldOnce());
        queue.drop();
        window.release();
        assertThat(lent).isEmpty();
    }

    @Test
    void unitsThatAnEngineDoesNotTakeAreReleased() {
        SourceWindow window = window();
        BatchQueue queue = queue(window, new Throwing(Where.NEXT, Integer.MAX_VALUE));
        cpu.failing = true;
        assertThatThrownBy(() -> queue.fill(true)).hasMessage("a bug in an engine");
        assertThat(lent).hasSize(1).allMatch(lease -> lease.isHeldOnce());
        window.release();
        assertThat(lent).isEmpty();
    }

    /** The chunk is no chunk of Snappy: everything goes back into the window, and is named again. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goingBackReleasesWhatItCouldNotQueue(boolean engineFails) throws IOException {
        SourceWindow window = window();
        BatchQueue queue = queue(window, new Throwing(Where.NEXT, Integer.MAX_VALUE) {
            @Override
            public Unit again(Window front, Unit failed, String reason) {
                if (!engineFails) {
                    throw new IllegalStateException("a bug in a scanner");
                }
                return Unit.chunk(UNIT_BYTES, UNIT_BYTES);
            }
        });
        queue.fill(true);
        CutUnit first = queue.first();
        DecodedChunk undecodable = DecodedChunk.failed(DecodedChunk.Status.UNDECODABLE, "by the test");
        cpu.failing = engineFails;
        assertThatThrownBy(() -> queue.goBack(first, undecodable)).hasMessageStartingWith("a bug in");
        assertThat(lent).hasSize(1).allMatch(lease -> lease.isHeldOnce());
        queue.drop();
        window.release();
        assertThat(lent).isEmpty();
    }
}
