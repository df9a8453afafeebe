package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.SizedChunk;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The size that a member's header claims for it, where it is one of ours or BGZF.
 *
 * @param chunkBytes claimed size of the whole member
 * @param rawBytes claimed decoded size, -1 where the header has none
 * @param reachBytes the largest possible member of this kind
 */
record GzipBoundary(int chunkBytes, int rawBytes, int reachBytes) implements SizedChunk {

    /**
     * Reads the header at an index of the window.
     *
     * @return null if there is no well-formed header of ours or of BGZF, or not all of it can be seen
     */
    static GzipBoundary at(Window window, int index) throws IOException {
        GzipHeader header = window.require(index + SUBFIELD_AT) ? GzipHeader.startAt(window, index) : null;
        if (header == null || header.extraBytes() < 6 || !window.require(index + SUBFIELD_AT + header.extraBytes())) {
            return null;
        }
        GzipBoundary ours = header.hasOnlyExtra() ? ours(window, index, header.extraBytes()) : null;
        return ours != null ? ours : bgzf(window, index, header.extraBytes());
    }

    private static GzipBoundary ours(Window window, int index, int extraBytes) {
        if (extraBytes < LEN_WITHOUT_SEGMENTS + 4
                || !isOurSubfield(window, index + SUBFIELD_AT)
                || window.u16le(index + LEN_AT) != extraBytes - 4
                || window.i64le(index + SIGNATURE_AT) != SIGNATURE) {
            return null;
        }
        int memberBytes = window.i32le(index + MEMBER_BYTES_AT);
        int rawBytes = window.i32le(index + RAW_BYTES_AT);
        int leastBytes = SUBFIELD_AT + extraBytes + TRAILER_BYTES + 2;
        if (memberBytes < leastBytes
                || memberBytes > MAX_MEMBER_BYTES
                || rawBytes < 0
                || rawBytes > CodecOptions.MAX_CHUNK_BYTES) {
            return null;
        }
        return new GzipBoundary(memberBytes, rawBytes, MAX_MEMBER_BYTES);
    }

    private static GzipBoundary bgzf(Window window, int index, int extraBytes) {
        int at = index + SUBFIELD_AT;
        int limit = at + extraBytes;
        while (at + 4 <= limit) {
            int length = window.u16le(at + 2);
            if (isBgzfSubfield(window, at) && length == 2 && at + 6 <= limit) {
                int memberBytes = window.u16le(at + 4) + 1;
                int leastBytes = SUBFIELD_AT + extraBytes + TRAILER_BYTES + 2;
                return memberBytes < leastBytes ? null : new GzipBoundary(memberBytes, -1, MAX_BGZF_BYTES);
            }
            at += 4 + length;
        }
        return null;
    }
}
