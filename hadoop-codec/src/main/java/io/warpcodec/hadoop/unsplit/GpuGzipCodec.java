package io.warpcodec.hadoop.unsplit;

/** {@code .gz}, as {@link io.warpcodec.hadoop.GpuGzipCodec} reads and writes it, but not splittable. */
public final class GpuGzipCodec extends UnsplitCodec {
    public GpuGzipCodec() {
        super(new io.warpcodec.hadoop.GpuGzipCodec());
    }
}
