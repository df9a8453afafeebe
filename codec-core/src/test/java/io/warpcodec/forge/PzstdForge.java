package io.warpcodec.forge;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * Files as pzstd makes them: frames without a content size, and before each a skippable frame of 4 bytes, which hold
 * its length.
 */
public final class PzstdForge {
    private PzstdForge() {}

    /** @param frameBytes raw bytes of each frame; 8 MiB at pzstd's level 3 */
    public static byte[] file(byte[] raw, int frameBytes, int level, boolean checksum) throws IOException {
        ZstdForge file = new ZstdForge();
        int at = 0;
        do {
            int bytes = Math.min(frameBytes, raw.length - at);
            byte[] frame = frame(raw, at, bytes, level, checksum);
            file.skippable(0, new ZstdForge().le32(frame.length).toArray()).put(frame);
            at += bytes;
        } while (at < raw.length);
        return file.toArray();
    }

    /** A frame whose encoder did not know its length in advance. */
    public static byte[] frame(byte[] raw, int start, int bytes, int level, boolean checksum) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        try (ZstdOutputStreamNoFinalizer out = new ZstdOutputStreamNoFinalizer(frame, level)) {
            out.setChecksum(checksum);
            out.write(raw, start, bytes);
        }
        return frame.toByteArray();
    }
}
