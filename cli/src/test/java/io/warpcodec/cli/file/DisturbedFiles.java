package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileOperations;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.FileAlreadyExistsException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A layer between the tool and a file system that disturbs one operation of a call. Every access to the disk is
 * counted, so a test can disturb the first, the second, and so on until a call ends undisturbed.
 */
public final class DisturbedFiles implements Volumes.Layer, AutoCloseable {

    /** What happens to an operation. */
    public enum Disturbance {
        /** It fails and has done nothing. */
        FAILS,
        /** It is done, and fails nevertheless: the answer was lost. */
        FAILS_AFTERWARDS,
        /** It answers false, where it can, and has done nothing. */
        ANSWERS_FALSE,
        /** The process ends before it: neither this nor any later operation reaches the disk. */
        KILLS
    }

    /** How a file system renames. */
    public enum Store {
        /** In one step. */
        LOCAL,
        /** By copying, piece by piece, and deleting; never onto a file. */
        COPYING
    }

    private static final Set<String> PATHS_ONLY = Set.of(
            "resolve",
            "parent",
            "nameOf",
            "key",
            "above",
            "renamesAtomically",
            "replacesAtomically",
            "toString",
            "hashCode");

    /** What ends the call in the place of the process. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final Store store;
    private final Disturbance disturbance;
    private final int target;
    private int count;
    private boolean killed;
    private String disturbed;

    /**
     * @param disturbance null for none
     * @param target which operation, from 0
     */
    public static DisturbedFiles put(Store store, Disturbance disturbance, int target) {
        DisturbedFiles layer = new DisturbedFiles(store, disturbance, target);
        Volumes.put(layer);
        return layer;
    }

    private DisturbedFiles(Store store, Disturbance disturbance, int target) {
        this.store = store;
        this.disturbance = disturbance;
        this.target = target;
    }

    /** The operation that was disturbed; null if the call had fewer. */
    public String disturbed() {
        return disturbed;
    }

    @Override
    public void close() {
        Volumes.put(null);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <P> FileOperations<P> over(FileOperations<P> files) {
        return (FileOperations<P>) Proxy.newProxyInstance(
                DisturbedFiles.class.getClassLoader(),
                new Class<?>[] {FileOperations.class},
                (proxy, method, arguments) -> call(files, (FileOperations<P>) proxy, method, arguments));
    }

    private <P> Object call(FileOperations<P> files, FileOperations<P> proxy, Method method, Object[] arguments)
            throws Throwable {
        if (store == Store.COPYING && method.getName().endsWith("Atomically")) {
            return false;
        }
        if (PATHS_ONLY.contains(method.getName())) {
            return invoke(files, method, arguments);
        }
        if (store == Store.COPYING && method.getName().equals("rename")) {
            return copy(files, arguments);
        }
        Object result = step(method.getName(), method.getReturnType(), () -> invoke(files, method, arguments));
        return result instanceof FileOperations.Sink sink ? disturbed(sink) : result;
    }

    private FileOperations.Sink disturbed(FileOperations.Sink sink) {
        return (FileOperations.Sink) Proxy.newProxyInstance(
                DisturbedFiles.class.getClassLoader(),
                new Class<?>[] {FileOperations.Sink.class},
                (proxy, method, arguments) -> {
                    if (killed && method.getName().equals("close")) {
                        // the system closes what a process leaves open
                        return invoke(sink, method, arguments);
                    }
                    return step("sink." + method.getName(), void.class, () -> invoke(sink, method, arguments));
                });
    }

    @SuppressWarnings("unchecked")
    private <P> boolean copy(FileOperations<P> files, Object[] arguments) throws IOException {
        P from = (P) arguments[0];
        P to = (P) arguments[1];
        byte[] bytes;
        if (files.look(to, false) != null) {
            throw new FileAlreadyExistsException(to.toString());
        }
        try (InputStream in = files.open(from, false)) {
            bytes = in.readAllBytes();
        }
        FileAttributes attributes = files.attributes(from, false);
        for (int part : List.of(0, bytes.length / 2, bytes.length)) {
            Object done = step("rename, copying " + part, boolean.class, () -> {
                files.delete(to);
                try (FileOperations.Sink sink = files.create(to, true)) {
                    sink.write(Arrays.copyOf(bytes, part), 0, part);
                    sink.giveAttributes(attributes);
                }
                return true;
            });
            if (!(boolean) done) {
                return false;
            }
        }
        return (boolean) step("rename, deleting", boolean.class, () -> files.delete(from));
    }

    private Object step(String what, Class<?> type, Callable<?> work) throws IOException {
        boolean hit = !killed && disturbance != null && count++ == target;
        if (hit) {
            disturbed = what;
            killed = disturbance == Disturbance.KILLS;
        }
        if (killed) {
            throw new Killed();
        }
        if (hit && disturbance == Disturbance.FAILS) {
            throw new InterruptedIOException("disturbed: " + what);
        }
        if (hit && disturbance == Disturbance.ANSWERS_FALSE && type == boolean.class) {
            return false;
        }
        Object result = done(work);
        if (hit && disturbance == Disturbance.FAILS_AFTERWARDS) {
            closeLost(result);
            throw new InterruptedIOException("answer lost: " + what);
        }
        return result;
    }

    /**
     * Closes the answer that is lost. Left open it would be closed by the garbage collector, while a later call of this
     * process looks for its own descriptor of the same file.
     */
    private static void closeLost(Object result) throws IOException {
        if (result instanceof FileOperations.Opened opened) {
            opened.bytes().close();
        } else if (result instanceof Closeable closeable) {
            closeable.close();
        }
    }

    private static Object done(Callable<?> work) throws IOException {
        try {
            return work.call();
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception other) {
            throw new IllegalStateException(other);
        }
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws IOException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof IOException io) {
                throw io;
            }
            if (failure.getCause() instanceof RuntimeException runtime) {
                throw runtime;
            }
            throw new IllegalStateException(failure.getCause());
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
