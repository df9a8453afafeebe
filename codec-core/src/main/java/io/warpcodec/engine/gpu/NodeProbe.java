package io.warpcodec.engine.gpu;

import io.warpcodec.device.lease.DeviceLease;
import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodePool;
import io.warpcodec.device.node.NodeQuery;
import io.warpcodec.engine.gpu.block.BlockJob;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Has a node's service decode one block, as any client would. Asked every few seconds it keeps its connection and its
 * memory, so that it learns of the service and not of how much others have. One thread at a time uses it.
 */
public final class NodeProbe implements AutoCloseable {
    private static final String PROGRAM = "decode.lz4";
    private static final byte[] BLOCK = {0x10, 'x'};
    private static final byte CONTENT = 'x';
    private static final long LOOK_MILLIS = 2;

    private final NodeAddress address;
    private final NodePool pool;

    /** @param address of the service */
    public NodeProbe(NodeAddress address) {
        this.address = address;
        pool = new NodePool(address);
    }

    /**
     * Asks once.
     *
     * @param nanos to wait at most
     * @return whether the block was decoded; where there is no memory for it, whether the service says how it stands
     * @throws InterruptedException if this thread was interrupted
     */
    public boolean ask(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        pool.awaitFirst(nanos);
        DeviceLease lease = pool.tryLease(PROGRAM, BLOCK.length, 1, 1);
        if (lease == null) {
            return pool.isRunning() && says(end - System.nanoTime());
        }
        try (lease) {
            return lease.fill(input -> input.put(0, BLOCK)) && decodes(lease, end);
        }
    }

    private static boolean decodes(DeviceLease lease, long end) throws InterruptedException {
        BlockJob job = new BlockJob();
        job.add(0, BLOCK.length, 0, 1);
        lease.submit(job);
        while (!lease.isOver()) {
            if (end - System.nanoTime() < 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        byte[] content = new byte[1];
        return lease.failure() == null && lease.read(output -> content[0] = output.get(0)) && content[0] == CONTENT;
    }

    private boolean says(long nanos) {
        try {
            return NodeQuery.ask(address, nanos).upNanos() >= 0;
        } catch (IOException silent) {
            return false;
        }
    }

    /** Why the last connection ended, or was not made; null if neither has happened. */
    public String whyNot() {
        return pool.whyGone();
    }

    @Override
    public void close() {
        pool.close();
    }
}
