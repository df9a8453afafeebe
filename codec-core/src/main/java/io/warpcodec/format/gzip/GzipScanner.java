package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.Framing;
import io.warpcodec.format.PassedUnits;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.Unit;
import io.warpcodec.format.Window;
import java.io.IOException;

/**
 * Walks the members of a gzip stream: members that name their size (ours, BGZF) are chunks, any other is decoded by a
 * session. After the last member zero bytes are padding; anything else that is not a member is an error.
 */
public final class GzipScanner implements Scanner {
    private final boolean emptyIsLegal;
    private boolean sessionsOnly;
    private boolean anyMember;
    private boolean padding;
    private boolean first;

    /** @param framing {@link Framing#SPARK} makes a stream of zero bytes an empty stream */
    public GzipScanner(Framing framing) {
        this(framing, false);
    }

    private GzipScanner(Framing framing, boolean sessionsOnly) {
        this.emptyIsLegal = framing == Framing.SPARK;
        this.sessionsOnly = sessionsOnly;
    }

    /**
     * A scanner that names no chunks, for a decoder that is pushed its input and never learns where that ends: it
     * could wait for ever for the bytes that a member's size field promises falsely.
     */
    public static GzipScanner ofPushed(Framing framing) {
        return new GzipScanner(framing, true);
    }

    @Override
    public Unit next(Window window) throws IOException {
        if (!window.require(1)) {
            if (!window.ended()) {
                return Unit.NEEDS_INPUT;
            }
            if (!anyMember && !emptyIsLegal) {
                throw GzipHeader.noMemberAtAll(window.offset());
            }
            return Unit.END;
        }
        if (anyMember && window.u8(0) == 0) {
            int zeros = 1;
            while (zeros < window.buffered() && window.u8(zeros) == 0) {
                zeros++;
            }
            padding = true;
            return Unit.skip(zeros, true);
        }
        // what is at hand may tell already: nothing waits for the rest then
        boolean mayBeMember = !padding && mayBeMember(window);
        boolean whole = mayBeMember && window.require(SUBFIELD_AT);
        if (!mayBeMember || !mayBeMember(window)) {
            throw GzipHeader.noMember(window.offset(), anyMember);
        }
        if (!whole) {
            return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
        }
        GzipHeader header = sessionsOnly ? null : GzipHeader.startAt(window, 0);
        if (header == null || !header.hasExtra()) {
            return Unit.SESSION;
        }
        if (!window.require(SUBFIELD_AT + header.extraBytes())) {
            return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
        }
        GzipBoundary boundary = GzipBoundary.at(window, 0);
        if (boundary == null || first && boundary.rawBytes() > SMALL_CHUNK_BYTES) {
            return Unit.SESSION;
        }
        if (!window.require(boundary.chunkBytes())) {
            // cut short or lying: the session tells which
            return window.ended() ? Unit.SESSION : Unit.NEEDS_INPUT;
        }
        int rawBytes = boundary.rawBytes() >= 0
                ? boundary.rawBytes()
                : (int) Math.min(MAX_BGZF_BYTES, trailer(window, boundary).rawBytes() & 0xffff_ffffL);
        return Unit.chunk(boundary.chunkBytes(), rawBytes);
    }

    private static boolean mayBeMember(Window window) {
        return window.buffered() < Short.BYTES
                ? GzipHeader.mayStartWith(window.u8(0), 1)
                : GzipHeader.mayStartWith(window.u16le(0), Short.BYTES);
    }

    private static GzipTrailer trailer(Window window, GzipBoundary boundary) {
        return GzipTrailer.of(window.i64le(boundary.chunkBytes() - TRAILER_BYTES));
    }

    @Override
    public Unit first(Window window) throws IOException {
        first = true;
        try {
            return next(window);
        } finally {
            first = false;
        }
    }

    @Override
    public void passed(Unit unit) {
        anyMember = true;
    }

    @Override
    public boolean goesOn(Window window) {
        return padding || window.u8(0) == 0;
    }

    @Override
    public void ignoreHints() {
        sessionsOnly = true;
    }

    @Override
    public ScannerState state() {
        return PassedUnits.of(anyMember);
    }

    @Override
    public void restore(ScannerState state) {
        anyMember = state == PassedUnits.SOME;
        padding = false;
    }
}
