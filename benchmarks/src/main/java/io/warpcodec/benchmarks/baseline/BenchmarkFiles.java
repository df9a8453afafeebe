package io.warpcodec.benchmarks.baseline;

import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.TpchText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The raw text and its compressed forms. A run of many benchmarks names a folder in {@link #FOLDER_PROPERTY}, where
 * they are made and verified once; without it each benchmark makes its own in memory.
 */
final class BenchmarkFiles {
    /** System property: folder with prepared files. */
    static final String FOLDER_PROPERTY = "warpcodec.benchmarks.folder";

    private BenchmarkFiles() {}

    /** The raw text. */
    static byte[] raw(int megabytes) throws IOException {
        Path prepared = prepared("raw");
        return prepared != null ? Files.readAllBytes(prepared) : TpchText.lineitem(megabytes * 1_000_000);
    }

    /** The raw text as this side of the pair writes it. */
    static byte[] compressed(CodecPair pair, Side side, byte[] raw) throws IOException {
        Path prepared = prepared(name(pair, side));
        return prepared != null ? Files.readAllBytes(prepared) : CodecWork.compress(pair.codec(side), raw);
    }

    /** Name of the prepared file in the folder. */
    static String name(CodecPair pair, Side side) {
        return pair.word() + "." + side.word();
    }

    private static Path prepared(String name) {
        String folder = System.getProperty(FOLDER_PROPERTY);
        return folder == null ? null : Path.of(folder, name);
    }
}
