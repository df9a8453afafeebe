package io.warpcodec.hadoop.unsplit;

/** {@code .zst}, as {@link io.warpcodec.hadoop.GpuZstdCodec} reads and writes it, but not splittable. */
public final class GpuZstdCodec extends UnsplitCodec {
    public GpuZstdCodec() {
        super(new io.warpcodec.hadoop.GpuZstdCodec());
    }
}
