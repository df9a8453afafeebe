package io.warpcodec.stream.unit;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import java.io.IOException;

/**
 * Opens the sessions of one stream, one for each of its units. Where a unit ends is not known before. An engine that
 * makes something of much input takes all that is at hand. With units of a few KiB, one behind the other, each byte
 * would be worked on many times. So after some units that were shorter than their session wanted at least, the CPU
 * has the next units. It has them until a unit is longer.
 *
 * <p>Not thread-safe.
 */
public final class UnitSessions {
    /** So many more short units than long ones are tried. */
    private static final int MOST_SHORT_UNITS = 8;

    private final Format format;
    private final CodecOptions options;
    private final EngineSelector engines;
    private int leastBytes;
    private int shortUnits;

    /** For one stream, whose options these are. */
    public UnitSessions(Format format, CodecOptions options, EngineSelector engines) {
        this.format = format;
        this.options = options;
        this.engines = engines;
    }

    /**
     * A session for the unit that begins at this offset.
     *
     * @param asked the stream's options, with the framing that the unit has
     * @param expectedBytes of this unit and what follows it, at least
     */
    public DecodeSession open(CodecOptions asked, long offset, long expectedBytes) throws IOException {
        Engine engine = engines.chooseForSession(format, options, expectedBytes);
        if (shortUnits >= MOST_SHORT_UNITS) {
            engine = engines.cpu();
            Metrics.countFallback(Direction.DECODE, format, FallbackReason.UNITS_SHORT);
        }
        DecodeSession session = engine.openSession(format, asked, offset);
        leastBytes = Math.max(leastBytes, session.leastInputBytes());
        return session;
    }

    /** A unit has ended that had so many bytes. */
    public void ended(long unitBytes) {
        shortUnits = Math.max(0, unitBytes < leastBytes ? shortUnits + 1 : Math.min(shortUnits, MOST_SHORT_UNITS) - 1);
    }
}
