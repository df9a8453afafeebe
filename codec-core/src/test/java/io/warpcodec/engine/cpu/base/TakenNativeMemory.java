package io.warpcodec.engine.cpu.base;

/** Shows other modules' tests what sessions hold outside the heap. */
public final class TakenNativeMemory {
    private TakenNativeMemory() {}

    /** Bytes that are taken now, in the whole process. */
    public static long bytes() {
        return NativeMemory.takenBytes();
    }
}
