package io.warpcodec.engine.gpu;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Contents of many sizes and natures, and the files of every container made of them. Immutable. */
final class SoakSamples {
    private static final int[] SIZES = {
        0, 1, 13, 1000, 65_535, 65_536, 65_537, 300_000, 1 << 20, 3_000_000, 8 << 20, 16 << 20, 32 << 20
    };
    private static final int[] CHUNK_BYTES = {32 << 10, 64 << 10, 256 << 10};

    /** A content and its file. */
    record Sample(GpuStreams kind, byte[] raw, byte[] file) {}

    private final List<Sample> all;

    /** @param mostBytes the largest content */
    SoakSamples(long seed, int mostBytes) {
        int[] sizes = IntStream.of(SIZES).filter(size -> size <= mostBytes).toArray();
        List<byte[]> raws = IntStream.range(0, 2 * sizes.length)
                .parallel()
                .mapToObj(index -> content(sizes[index / 2], index % 2 == 0, seed + index))
                .toList();
        all = IntStream.range(0, raws.size() * GpuStreams.values().length)
                .parallel()
                .mapToObj(index -> sample(
                        GpuStreams.values()[index % GpuStreams.values().length],
                        raws.get(index / GpuStreams.values().length),
                        CHUNK_BYTES[index % CHUNK_BYTES.length]))
                .toList();
    }

    /** Text alone, or everything in turns: noise, periods, single values, text. */
    private static byte[] content(int bytes, boolean text, long seed) {
        return text ? GpuStreams.text(bytes, seed) : GpuStreams.mixture(bytes, seed);
    }

    private static Sample sample(GpuStreams kind, byte[] raw, int chunkBytes) {
        try {
            return new Sample(kind, raw, kind.write(raw, chunkBytes));
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
