package io.warpcodec.engine.gzip;

import io.warpcodec.format.gzip.GzipSeekPoint;
import java.io.IOException;
import java.util.function.Supplier;

/** Is told, while a gzip file is decoded from its start to its end, where decoding could also begin. */
@FunctionalInterface
public interface SeekPointVisitor {
    /**
     * A member or a DEFLATE block begins here. Calls come in order; not every block needs to be reported.
     *
     * @param point where
     * @param window gives the {@link GzipSeekPoint#windowBytes} bytes before it; only during the call
     */
    void visit(GzipSeekPoint point, Supplier<byte[]> window) throws IOException;
}
