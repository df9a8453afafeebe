package io.warpcodec.hadoop.unsplit;

/** {@code .lz4}, as {@link io.warpcodec.hadoop.GpuLz4Codec} reads and writes it, but not splittable. */
public final class GpuLz4Codec extends UnsplitCodec {
    public GpuLz4Codec() {
        super(new io.warpcodec.hadoop.GpuLz4Codec());
    }
}
