package io.warpcodec.engine.gzip;

import io.warpcodec.format.gzip.GzipPoint;
import java.io.IOException;
import java.util.function.Supplier;

/** Is told, while a gzip file is decoded from its start to its end, where decoding could also begin. */
@FunctionalInterface
public interface BlockVisitor {
    /**
     * A member or a DEFLATE block begins here. Calls come in order; not every block needs to be reported.
     *
     * @param point where
     * @param window gives the {@link GzipPoint#windowBytes} bytes before it; only during the call
     */
    void visit(GzipPoint point, Supplier<byte[]> window) throws IOException;
}
