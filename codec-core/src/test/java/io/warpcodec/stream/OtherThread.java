package io.warpcodec.stream;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Calls on threads of their own, and latches that put them in order. */
public final class OtherThread {
    private OtherThread() {}

    /** A call that may throw. */
    public interface Call<T> {
        T run() throws Exception;
    }

    public static <T> CompletableFuture<T> supply(Call<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.run());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    public static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
