package io.warpcodec.device.lease;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/** Ends mappings of files at once, instead of when the collector finds them. */
public final class Mappings {
    private static final Object UNSAFE;
    private static final Method INVOKE_CLEANER;

    static {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            UNSAFE = field.get(null);
            INVOKE_CLEANER = type.getMethod("invokeCleaner", ByteBuffer.class);
        } catch (ReflectiveOperationException absent) {
            throw new ExceptionInInitializerError(absent);
        }
    }

    private Mappings() {}

    /**
     * Ends a mapping. No view of it may be used afterwards: that would end the JVM.
     *
     * @param mapped as the file channel returned it
     */
    public static void unmap(ByteBuffer mapped) {
        try {
            INVOKE_CLEANER.invoke(UNSAFE, mapped);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
