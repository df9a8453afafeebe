package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileOperations;

/** The file systems that locations work on. Tests put operations that fail in front of them. */
final class Volumes {

    /** Something between the tool and a file system. */
    interface Layer {
        <P> FileOperations<P> over(FileOperations<P> files);
    }

    private static final Layer NONE = new Layer() {
        @Override
        public <P> FileOperations<P> over(FileOperations<P> files) {
            return files;
        }
    };

    private static volatile Layer layer = NONE;

    private Volumes() {}

    /** The operations that the tool is to use of a file system. */
    static <P> FileOperations<P> of(FileOperations<P> files) {
        return layer.over(files);
    }

    /** For tests: from now on every file system is used through this layer; null takes it away. */
    static void put(Layer between) {
        layer = between == null ? NONE : between;
    }
}
