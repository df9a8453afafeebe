package io.warpcodec.engine.gpu;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.gpu.block.DecodePlanner;
import io.warpcodec.engine.gpu.block.EncodeLayout;
import io.warpcodec.engine.gpu.bzip2.Bzip2GpuFormat;
import io.warpcodec.engine.gpu.deflate.DeflateGpuFormat;
import io.warpcodec.engine.gpu.lz4.Lz4GpuFormat;
import io.warpcodec.engine.gpu.request.GpuFormat;
import io.warpcodec.engine.gpu.snappy.SnappyGpuFormat;
import io.warpcodec.engine.gpu.zstd.ZstdGpuFormat;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The formats that devices read and write: the only place of this engine that names all of them. */
public final class GpuFormats {
    /** In the order in which their programs are loaded. */
    static final List<GpuFormat> ALL = List.of(
            Lz4GpuFormat.INSTANCE,
            SnappyGpuFormat.INSTANCE,
            DeflateGpuFormat.GZIP,
            DeflateGpuFormat.ZLIB,
            Bzip2GpuFormat.INSTANCE,
            ZstdGpuFormat.INSTANCE);

    private static final Map<Format, GpuFormat> BY_FORMAT = new EnumMap<>(Format.class);

    static {
        ALL.forEach(format -> BY_FORMAT.put(format.format(), format));
    }

    private GpuFormats() {}

    /** What this format brings to devices; null if it is the CPU's. */
    static GpuFormat of(Format format) {
        return BY_FORMAT.get(format);
    }

    /**
     * Reads chunks of this format into plans, none of which makes more than its chunk claims; null if they are the
     * CPU's.
     *
     * @param likelyBytes as {@link GpuFormat#planner} has it
     */
    static DecodePlanner planner(Format format, CodecOptions options, int likelyBytes) {
        GpuFormat known = of(format);
        DecodePlanner planner = known == null ? null : known.planner(options, likelyBytes);
        return planner == null ? null : planner.withinClaims();
    }

    /** How chunks are encoded under these options; null if the CPU has to encode them. */
    static EncodeLayout layout(Format format, CodecOptions options) {
        GpuFormat known = of(format);
        return known == null ? null : known.layout(options);
    }
}
