package io.warpcodec.engine.gpu.soak;

import com.github.luben.zstd.ZstdOutputStream;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.gpu.GpuStreams;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** Contents of many sizes and natures, and the files of every container made of them. Immutable. */
final class SoakSamples {
    private static final int[] SIZES = {
        0, 1, 13, 1000, 65_535, 65_536, 65_537, 300_000, 1 << 20, 3_000_000, 8 << 20, 16 << 20, 32 << 20
    };
    private static final int[] CHUNK_BYTES = {32 << 10, 64 << 10, 256 << 10};

    /**
     * A content and its file.
     *
     * @param inPieces whether the file is one stream that is decoded in pieces, so that what is handed out before an
     *     error depends on them
     */
    record Sample(String name, Format format, CodecOptions options, byte[] raw, byte[] file, boolean inPieces) {}

    /** Makes a sample of a content and a size of chunks. */
    private interface Maker {
        Sample make(byte[] raw, int chunkBytes) throws IOException;
    }

    private final List<Sample> all;

    /** @param mostBytes the largest content */
    SoakSamples(long seed, int mostBytes) {
        int[] sizes = IntStream.of(SIZES).filter(size -> size <= mostBytes).toArray();
        List<byte[]> raws = IntStream.range(0, 2 * sizes.length)
                .parallel()
                .mapToObj(index -> content(sizes[index / 2], index % 2 == 0, seed + index))
                .toList();
        List<Maker> makers = makers();
        all = IntStream.range(0, raws.size() * makers.size())
                .parallel()
                .mapToObj(index -> sample(
                        makers.get(index % makers.size()),
                        raws.get(index / makers.size()),
                        CHUNK_BYTES[index % CHUNK_BYTES.length]))
                .toList();
    }

    /** Every container of chunks, and single streams of the JDK and of zstd-jni. */
    private static List<Maker> makers() {
        List<Maker> makers = new ArrayList<>();
        for (GpuStreams kind : GpuStreams.values()) {
            makers.add((raw, chunkBytes) ->
                    new Sample(kind.name(), kind.format, kind.options, raw, kind.write(raw, chunkBytes), false));
        }
        makers.add((raw, chunkBytes) -> stream("ordinary gzip", Format.GZIP, raw, GZIPOutputStream::new));
        makers.add((raw, chunkBytes) -> stream("zlib stream", Format.ZLIB, raw, DeflaterOutputStream::new));
        makers.add((raw, chunkBytes) -> stream("zstd frame", Format.ZSTD, raw, ZstdOutputStream::new));
        makers.add((raw, chunkBytes) -> stream(
                "zstd frame with checksum", Format.ZSTD, raw, sink -> new ZstdOutputStream(sink).setChecksum(true)));
        return makers;
    }

    private interface Opener {
        OutputStream open(OutputStream sink) throws IOException;
    }

    private static Sample stream(String name, Format format, byte[] raw, Opener opener) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = opener.open(file)) {
            out.write(raw);
        }
        return new Sample(name, format, CodecOptions.DEFAULTS, raw, file.toByteArray(), true);
    }

    /** Text alone, or everything in turns: noise, periods, single values, text. */
    private static byte[] content(int bytes, boolean text, long seed) {
        return text ? GpuStreams.text(bytes, seed) : GpuStreams.mixture(bytes, seed);
    }

    private static Sample sample(Maker maker, byte[] raw, int chunkBytes) {
        try {
            return maker.make(raw, chunkBytes);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** Any of them. */
    Sample any(Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** One of at most so many bytes, and more than none. */
    Sample anyUpTo(int mostBytes, Random random) {
        while (true) {
            Sample sample = any(random);
            if (sample.raw.length > 0 && sample.raw.length <= mostBytes) {
                return sample;
            }
        }
    }
}
