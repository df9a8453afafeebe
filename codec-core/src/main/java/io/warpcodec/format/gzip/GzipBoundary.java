package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * The size that a member's header claims for it, where it is one of ours or BGZF.
 *
 * @param memberBytes claimed size of the whole member
 * @param rawBytes claimed decoded size, -1 where the header has none
 * @param reachBytes how far a chain of such members must lead to be believed: the largest possible member of this kind
 */
record GzipBoundary(int memberBytes, int rawBytes, int reachBytes) {

    /**
     * Reads the header at an index of the window.
     *
     * @return null if there is no well-formed header of ours or of BGZF, or not all of it can be seen
     */
    static GzipBoundary at(Window window, int index) throws IOException {
        if (!window.require(index + SUBFIELD_AT)
                || window.u8(index) != ID1
                || window.u8(index + 1) != ID2
                || window.u8(index + 2) != CM_DEFLATE
                || (window.u8(index + 3) & (FEXTRA | FLG_RESERVED)) != FEXTRA) {
            return null;
        }
        int extraBytes = window.u16le(index + HEADER_BYTES);
        if (extraBytes < 6 || !window.require(index + SUBFIELD_AT + extraBytes)) {
            return null;
        }
        GzipBoundary ours = ours(window, index, extraBytes);
        return ours != null ? ours : bgzf(window, index, extraBytes);
    }

    private static GzipBoundary ours(Window window, int index, int extraBytes) {
        if (window.u8(index + 3) != FEXTRA
                || extraBytes < LEN_WITHOUT_SEGMENTS + 4
                || window.u8(index + SUBFIELD_AT) != SI1
                || window.u8(index + SUBFIELD_AT + 1) != SI2
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
            if (window.u8(at) == BGZF_SI1 && window.u8(at + 1) == BGZF_SI2 && length == 2 && at + 6 <= limit) {
                int memberBytes = window.u16le(at + 4) + 1;
                int leastBytes = SUBFIELD_AT + extraBytes + TRAILER_BYTES + 2;
                return memberBytes < leastBytes ? null : new GzipBoundary(memberBytes, -1, MAX_BGZF_BYTES);
            }
            at += 4 + length;
        }
        return null;
    }
}
