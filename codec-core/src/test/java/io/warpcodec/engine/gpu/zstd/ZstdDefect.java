package io.warpcodec.engine.gpu.zstd;

/** A frame is not what RFC 8878 says. */
final class ZstdDefect extends Exception {
    private static final long serialVersionUID = 1;

    ZstdDefect(String what) {
        super(what);
    }

    static void unless(boolean holds, String what) throws ZstdDefect {
        if (!holds) {
            throw new ZstdDefect(what);
        }
    }
}
