package io.warpcodec.engine.cpu.base;

/** What tests of other rooms see of the CPU engine's native memory. */
public final class NativeBytes {
    private NativeBytes() {}

    /** Bytes that are taken and not freed: by open streams, and by chunk coders that wait for the next chunk. */
    public static long taken() {
        return NativeMemory.takenBytes();
    }
}
