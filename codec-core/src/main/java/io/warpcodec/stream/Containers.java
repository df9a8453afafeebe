package io.warpcodec.stream;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.bzip2.Bzip2Assembler;
import io.warpcodec.format.bzip2.Bzip2Scanner;
import io.warpcodec.format.bzip2.Bzip2SyncPoints;
import io.warpcodec.format.gzip.GzipAssembler;
import io.warpcodec.format.gzip.GzipScanner;
import io.warpcodec.format.gzip.GzipSyncPoints;
import io.warpcodec.format.hadoopframing.HadoopFramingAssembler;
import io.warpcodec.format.hadoopframing.HadoopFramingScanner;
import io.warpcodec.format.lz4.Lz4BlockAssembler;
import io.warpcodec.format.lz4.Lz4BlockScanner;
import io.warpcodec.format.lz4.Lz4FrameAssembler;
import io.warpcodec.format.lz4.Lz4HadoopAssembler;
import io.warpcodec.format.lz4.Lz4Scanner;
import io.warpcodec.format.lz4.Lz4SyncPoints;
import io.warpcodec.format.snappy.SnappyFormat;
import io.warpcodec.format.snappy.XerialAssembler;
import io.warpcodec.format.snappy.XerialScanner;
import io.warpcodec.format.zlib.ZlibAssembler;
import io.warpcodec.format.zlib.ZlibScanner;
import io.warpcodec.format.zstd.ZstdAssembler;
import io.warpcodec.format.zstd.ZstdScanner;
import io.warpcodec.format.zstd.ZstdSyncPoints;

/** Which room holds which format's container. */
final class Containers {
    private Containers() {}

    static Scanner scanner(Format format, CodecOptions options) {
        return switch (format) {
            case GZIP -> new GzipScanner(options.framing());
            case BZIP2 -> new Bzip2Scanner();
            case ZLIB -> new ZlibScanner(options.framing());
            case LZ4 -> options.framing() == Framing.SPARK ? new Lz4BlockScanner() : new Lz4Scanner(options);
            case SNAPPY ->
                options.framing() == Framing.SPARK
                        ? new XerialScanner()
                        : new HadoopFramingScanner(SnappyFormat.SIZES, options.lenient());
            case ZSTD -> new ZstdScanner(options.framing(), options.outputBudgetBytes());
        };
    }

    /** The scanner of a decoder that is pushed its input: it waits for nothing that the format does not owe. */
    static Scanner pushedScanner(Format format, CodecOptions options) {
        return switch (format) {
            case GZIP -> GzipScanner.ofPushed(options.framing());
            case LZ4 -> options.framing() == Framing.SPARK ? scanner(format, options) : Lz4Scanner.ofPushed(options);
            default -> scanner(format, options);
        };
    }

    static Assembler assembler(Format format, CodecOptions options) {
        return switch (format) {
            case GZIP -> new GzipAssembler();
            case BZIP2 -> new Bzip2Assembler(options.level(Format.BZIP2));
            case ZLIB -> new ZlibAssembler(options.level(Format.ZLIB));
            case LZ4 ->
                switch (options.framing()) {
                    case STANDARD -> new Lz4FrameAssembler();
                    case HADOOP -> new Lz4HadoopAssembler();
                    case SPARK -> new Lz4BlockAssembler(options.chunkBytes(Format.LZ4));
                };
            case SNAPPY -> options.framing() == Framing.SPARK ? new XerialAssembler() : new HadoopFramingAssembler();
            case ZSTD -> new ZstdAssembler(options.framing());
        };
    }

    /** The split rule, or null for a format whose files are never cut. */
    static SyncPoints syncPoints(Format format, CodecOptions options) {
        return switch (format) {
            case GZIP -> new GzipSyncPoints();
            case ZSTD -> new ZstdSyncPoints();
            case BZIP2 -> new Bzip2SyncPoints();
            case LZ4 -> new Lz4SyncPoints();
            default -> null;
        };
    }
}
