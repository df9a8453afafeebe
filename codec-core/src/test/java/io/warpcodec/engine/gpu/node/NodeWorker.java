package io.warpcodec.engine.gpu.node;

import io.warpcodec.Mode;
import io.warpcodec.NodeSettings;
import io.warpcodec.PoolSettings;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;

/**
 * A process that reads and writes through a node's service, compares every byte, and goes on when the service does
 * not: {@code FOLDER SECONDS SEED [MODE]}. Its exit status is 3 if a byte differs, 0 if none did; it prints {@code
 * works} when its first piece of work is done, and how many chunks devices have done at its end.
 */
public final class NodeWorker {
    private static final int MOST_BYTES = 2_000_000;
    private static final int WRONG = 3;

    private NodeWorker() {}

    public static void main(String[] arguments) throws Exception {
        PoolSettings.install(PoolSettings.DEFAULTS.withNode(new NodeSettings(Path.of(arguments[0]), Set.of(), false)));
        long end = System.nanoTime() + (long) (Double.parseDouble(arguments[1]) * 1e9);
        Random random = new Random(Long.parseLong(arguments[2]));
        Mode mode = arguments.length > 3 ? Mode.valueOf(arguments[3]) : Mode.AUTO;
        boolean said = false;
        do {
            GpuStreams kind = GpuStreams.values()[random.nextInt(GpuStreams.values().length)];
            byte[] raw = raw(random, kind == GpuStreams.BZIP2 ? 200_000 : MOST_BYTES);
            byte[] file = kind.write(raw, kind.options.withChunkBytes(65_536).withMode(mode));
            if (!Arrays.equals(read(kind, file, mode), raw)) {
                System.out.println("WRONG " + kind);
                System.exit(WRONG);
            }
            if (!said) {
                said = true;
                System.out.println("works");
            }
        } while (System.nanoTime() < end);
        System.out.println(Metrics.sum("", ".gpu.chunks"));
    }

    private static byte[] read(GpuStreams kind, byte[] file, Mode mode) throws IOException {
        try (InputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), kind.format, kind.options.withMode(mode))) {
            return in.readAllBytes();
        }
    }

    private static byte[] raw(Random random, int mostBytes) {
        byte[] raw = new byte[1 + random.nextInt(mostBytes)];
        int letters = 1 + random.nextInt(60);
        for (int at = 0; at < raw.length; at++) {
            raw[at] = (byte) (' ' + random.nextInt(letters));
        }
        return raw;
    }
}
