package io.warpcodec.engine.gpu;

import io.warpcodec.engine.StartTurns;

/** The turns of this machine's processes in starting devices. Thread-safe. */
final class GpuStartTurns implements StartTurns {
    private final MachineStarts starts;

    GpuStartTurns(MachineStarts starts) {
        this.starts = starts;
    }

    @Override
    public long measuredNanos() {
        return starts.measuredNanos();
    }

    @Override
    public Turn tryTurn() {
        MachineStarts.Turn turn = starts.tryTurn();
        return turn == null
                ? null
                : new Turn() {
                    @Override
                    public void took(long nanos) {
                        turn.took(nanos);
                    }

                    @Override
                    public void close() {
                        turn.close();
                    }
                };
    }
}
