package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileOperations;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * A layer between the tool and its file systems that hands every access to a director: each operation, each read,
 * each write.
 */
final class SteppedFiles implements Volumes.Layer {

    private static final Set<String> PATHS_ONLY = Set.of(
            "resolve",
            "parent",
            "nameOf",
            "key",
            "above",
            "renamesAtomically",
            "replacesAtomically",
            "toString",
            "hashCode",
            "equals");

    /** Something that reaches the disk. */
    interface Access {
        Object run() throws IOException;
    }

    /** Decides what becomes of each access. */
    interface Director {
        /** Returns what the access returns, or throws what it throws. */
        Object perform(Step step) throws IOException;
    }

    /**
     * One access.
     *
     * @param operation its name
     * @param path the file
     * @param to the other file of a rename; else null
     * @param answersYesOrNo whether it returns a truth value that says if it was done
     * @param whole does it
     * @param half does the first part of it; null where it has no parts
     */
    record Step(String operation, Object path, Object to, boolean answersYesOrNo, Access whole, Access half) {
        @Override
        public String toString() {
            return operation + " " + path + (to == null ? "" : " to " + to);
        }
    }

    private static final Set<String> YES_OR_NO = Set.of("rename", "replace", "delete");

    private final Director director;

    private SteppedFiles(Director director) {
        this.director = director;
    }

    /** Directs the tool from now on. */
    static void direct(Director director) {
        Volumes.put(new SteppedFiles(director));
    }

    /** Leaves the tool alone from now on. */
    static void release() {
        Volumes.put(null);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <P> FileOperations<P> over(FileOperations<P> files) {
        return (FileOperations<P>) Proxy.newProxyInstance(
                FileOperations.class.getClassLoader(),
                new Class<?>[] {FileOperations.class},
                (proxy, method, arguments) -> {
                    if (PATHS_ONLY.contains(method.getName())) {
                        return call(files, method, arguments);
                    }
                    return perform(files, method, arguments);
                });
    }

    private <P> Object perform(FileOperations<P> files, Method method, Object[] arguments) throws IOException {
        String operation = method.getName();
        boolean renames = operation.equals("rename");
        Object to = renames || operation.equals("replace") ? arguments[1] : null;
        Object path = named(arguments[0]);
        Object result = director.perform(new Step(
                operation,
                path,
                to,
                YES_OR_NO.contains(operation),
                () -> call(files, method, arguments),
                renames ? halfRename(files, arguments[0], arguments[1]) : null));
        if (result instanceof FileOperations.Sink sink) {
            return stepped(sink, path);
        }
        if (result instanceof FileOperations.Opened opened) {
            return stepped(opened, path);
        }
        return result instanceof InputStream stream ? new SteppedInput(stream, path) : result;
    }

    private FileOperations.Opened stepped(FileOperations.Opened opened, Object path) {
        InputStream bytes = new SteppedInput(opened.bytes(), path);
        return new FileOperations.Opened() {
            @Override
            public InputStream bytes() {
                return bytes;
            }

            @Override
            public FileAttributes attributes() throws IOException {
                return (FileAttributes)
                        director.perform(new Step("attributes", path, null, false, opened::attributes, null));
            }
        };
    }

    /** The path in a folder's own name that is reached through a descriptor of the folder. */
    private static Object named(Object path) throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        if (!(path instanceof Path local) || !local.startsWith(descriptors)) {
            return path;
        }
        int end = descriptors.getNameCount() + 1;
        Path folder = Files.readSymbolicLink(Path.of("/").resolve(local.subpath(0, end)));
        return local.getNameCount() == end ? folder : folder.resolve(local.subpath(end, local.getNameCount()));
    }

    /** The first of the two steps that a rename to a free name takes, or the first half of a copy. */
    @SuppressWarnings("unchecked")
    private static <P> Access halfRename(FileOperations<P> files, Object from, Object to) {
        if (from instanceof Path local) {
            return () -> Files.createLink((Path) to, local);
        }
        if (files.renamesAtomically()) {
            return null;
        }
        return () -> {
            byte[] bytes;
            try (InputStream source = files.open((P) from, false)) {
                bytes = source.readAllBytes();
            }
            // a store gives its copy the attributes of the original
            FileAttributes attributes = files.attributes((P) from, false);
            try (FileOperations.Sink sink = files.create((P) to, true)) {
                sink.write(bytes, 0, bytes.length / 2);
                sink.giveAttributes(attributes);
            }
            return true;
        };
    }

    private FileOperations.Sink stepped(FileOperations.Sink sink, Object path) {
        return (FileOperations.Sink) Proxy.newProxyInstance(
                FileOperations.class.getClassLoader(),
                new Class<?>[] {FileOperations.Sink.class},
                (proxy, method, arguments) -> director.perform(new Step(
                        method.getName(),
                        path,
                        null,
                        false,
                        () -> call(sink, method, arguments),
                        method.getName().equals("write") ? halfWrite(sink, arguments) : null)));
    }

    private static Access halfWrite(FileOperations.Sink sink, Object[] arguments) {
        return () -> {
            sink.write((byte[]) arguments[0], (int) arguments[1], (int) arguments[2] / 2);
            return null;
        };
    }

    private static Object call(Object target, Method method, Object[] arguments) throws IOException {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(thrown.getCause());
        } catch (IllegalAccessException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    private final class SteppedInput extends FilterInputStream {
        private final Object path;

        SteppedInput(InputStream stream, Object path) {
            super(stream);
            this.path = path;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            return (int)
                    director.perform(new Step("read", path, null, false, () -> in.read(target, start, length), null));
        }

        @Override
        public void close() throws IOException {
            director.perform(new Step(
                    "close",
                    path,
                    null,
                    false,
                    () -> {
                        in.close();
                        return null;
                    },
                    null));
        }
    }
}
