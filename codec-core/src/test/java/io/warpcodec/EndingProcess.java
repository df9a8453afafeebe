package io.warpcodec;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Tests that fail while the process ends are reported as aborted: a signal has stopped it, exit hooks close pools and
 * file systems under the tests that still run, and what these say is not the product's failure. Registered like
 * {@link ProcessState}.
 */
public final class EndingProcess implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        rethrow(failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext suite, Throwable failure) throws Throwable {
        rethrow(failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        rethrow(failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
        rethrow(failure);
    }

    @Override
    public void handleAfterAllMethodExecutionException(ExtensionContext suite, Throwable failure) throws Throwable {
        rethrow(failure);
    }

    private static void rethrow(Throwable failure) throws Throwable {
        if (isEnding()) {
            throw new TestAbortedException("the process was ending while this test ran", failure);
        }
        throw failure;
    }

    /** The JVM takes no exit hook once it has begun to end. */
    private static boolean isEnding() {
        Thread probe = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException ending) {
            return true;
        }
    }
}
