package io.warpcodec.device.lease;

/** Where a lease stands. Changed by its {@link LeaseKeeper} only, under the keeper's monitor. */
public enum LeaseState {
    /** Memory is lent; no work was submitted. */
    FILLING,
    /** Work waits for a wave of this process's devices. */
    QUEUED,
    /** A device may touch the memory: work is in a wave, or the node's service has it. */
    ISSUED,
    /** Results are there. */
    DONE,
    /** Work was not done; no device touches the memory. */
    FAILED,
    /** Results were taken back unread; the memory is lent to others. */
    REVOKED,
    /** Device or service are gone: the memory stays out of use. */
    LOST,
    CLOSED
}
