package io.warpcodec.stream;

import io.warpcodec.Format;
import io.warpcodec.format.Container;
import io.warpcodec.format.bzip2.Bzip2Container;
import io.warpcodec.format.gzip.GzipContainer;
import io.warpcodec.format.lz4.Lz4Container;
import io.warpcodec.format.snappy.SnappyContainer;
import io.warpcodec.format.zlib.ZlibContainer;
import io.warpcodec.format.zstd.ZstdContainer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The containers of all formats: the only place that names them. */
public final class Containers {
    /** One for each format. */
    public static final List<Container> ALL = List.of(
            GzipContainer.INSTANCE,
            ZlibContainer.INSTANCE,
            Bzip2Container.INSTANCE,
            Lz4Container.INSTANCE,
            SnappyContainer.INSTANCE,
            ZstdContainer.INSTANCE);

    private static final Map<Format, Container> BY_FORMAT = new EnumMap<>(Format.class);

    static {
        ALL.forEach(container -> BY_FORMAT.put(container.format(), container));
        Arrays.stream(Format.values())
                .filter(format -> !BY_FORMAT.containsKey(format))
                .forEach(format -> {
                    throw new ExceptionInInitializerError("no container of " + format);
                });
    }

    private Containers() {}

    /** The container of a format. */
    public static Container of(Format format) {
        return BY_FORMAT.get(format);
    }
}
