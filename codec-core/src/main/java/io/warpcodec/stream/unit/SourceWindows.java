package io.warpcodec.stream.unit;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.choice.EngineSelector;
import java.io.InputStream;
import java.util.function.IntFunction;

/** Makes windows over heap memory that the CPU's engine lends. */
public final class SourceWindows {
    private static final int SYNCHRONOUS_READ_AHEAD_BYTES = 256 << 10;

    private SourceWindows() {}

    /** A window whose bytes are pushed. */
    public static SourceWindow pushed(EngineSelector engines) {
        return new SourceWindow(null, 0, 0, leases(engines));
    }

    /** A window of these bytes, the first of a file. */
    public static SourceWindow of(byte[] head, EngineSelector engines) {
        SourceWindow window = pushed(engines);
        window.append(head, 0, head.length);
        return window;
    }

    /**
     * A window that reads as far ahead as the options say.
     *
     * @param offset absolute offset of the source's next byte
     */
    public static SourceWindow reading(InputStream source, long offset, EngineSelector engines, CodecOptions options) {
        return new SourceWindow(source, offset, options.readAheadBytes(), leases(engines));
    }

    /** A window that reads less far ahead where no engine works ahead. */
    public static SourceWindow decoding(
            InputStream source, long offset, Format format, EngineSelector engines, CodecOptions options) {
        int readAhead = engines.worksAhead(format, Direction.DECODE, options)
                ? options.readAheadBytes()
                : Math.min(options.readAheadBytes(), SYNCHRONOUS_READ_AHEAD_BYTES);
        return new SourceWindow(source, offset, readAhead, leases(engines));
    }

    private static IntFunction<Lease> leases(EngineSelector engines) {
        return bytes -> engines.cpu().lease(bytes, "window");
    }
}
