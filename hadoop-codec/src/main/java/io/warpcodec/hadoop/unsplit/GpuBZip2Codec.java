package io.warpcodec.hadoop.unsplit;

/** {@code .bz2}, as {@link io.warpcodec.hadoop.GpuBZip2Codec} reads and writes it, but not splittable. */
public final class GpuBZip2Codec extends UnsplitCodec {
    public GpuBZip2Codec() {
        super(new io.warpcodec.hadoop.GpuBZip2Codec());
    }
}
