package io.warpcodec.engine;

import java.io.IOException;

/** Has another batch do everything: for engines of tests that change a part of it. */
public class ForwardingBatch<R> implements Batch<R> {
    private final Batch<R> batch;

    /** @param batch does everything, and is closed with this */
    public ForwardingBatch(Batch<R> batch) {
        this.batch = batch;
    }

    @Override
    public int size() {
        return batch.size();
    }

    @Override
    public R take(int index) throws IOException {
        return batch.take(index);
    }

    @Override
    public void close() {
        batch.close();
    }
}
