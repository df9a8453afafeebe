package io.warpcodec.spark;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Which formats this build has: tests of the others are reported as skipped. */
final class BuiltFormats {
    private static final Map<String, Boolean> KNOWN = new ConcurrentHashMap<>();

    private BuiltFormats() {}

    static boolean has(Format format, Framing framing) {
        return KNOWN.computeIfAbsent(format + " " + framing, absent -> probe(format, framing));
    }

    private static boolean probe(Format format, Framing framing) {
        try (OutputStream out = new ChunkedOutputStream(
                OutputStream.nullOutputStream(), format, CodecOptions.DEFAULTS.withFraming(framing))) {
            out.write(1);
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }
}
