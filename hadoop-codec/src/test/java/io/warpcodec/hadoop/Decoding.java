package io.warpcodec.hadoop;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * The two ways in which Hadoop decodes: through {@link CompressionCodec#createInputStream} and by driving a bare
 * {@link Decompressor} the way {@code DecompressorStream} does. Both police the contract while they decode; a breach is
 * an {@link AssertionError}, which a suite must never take for a refusal of the data.
 */
public final class Decoding {
    private static final byte CANARY = 0x5a;
    private static final int MARGIN = 8;

    private Decoding() {}

    /** Reads {@code in} to its end or first throwable, with reads of the given sizes, and closes the stream. */
    public static Outcome throughStream(
            CompressionCodec codec, Decompressor decompressor, InputStream in, Sizes reads) {
        Outcome.Sink sink = new Outcome.Sink();
        Throwable error = null;
        try (CompressionInputStream decoded =
                decompressor == null ? codec.createInputStream(in) : codec.createInputStream(in, decompressor)) {
            drain(decoded, reads, sink);
        } catch (AssertionError breach) {
            throw breach;
        } catch (Throwable thrown) {
            error = thrown;
        }
        return sink.outcome(error);
    }

    private static void drain(InputStream decoded, Sizes reads, Outcome.Sink sink) throws IOException {
        byte[] buffer = new byte[reads.max() + 2 * MARGIN];
        boolean single = false;
        for (; ; ) {
            int want = reads.next();
            int got;
            single = !single;
            if (want == 1 && single) {
                int b = decoded.read();
                got = b < 0 ? -1 : 1;
                buffer[MARGIN] = (byte) b;
            } else {
                Arrays.fill(buffer, 0, MARGIN, CANARY);
                Arrays.fill(buffer, MARGIN + want, Math.min(buffer.length, 2 * MARGIN + want), CANARY);
                got = decoded.read(buffer, MARGIN, want);
                check(got != 0 && got <= want, "read of " + want + " bytes returned " + got);
                check(isCanary(buffer, 0, MARGIN), "a read wrote in front of its range");
                check(isCanary(buffer, MARGIN + want, 2 * MARGIN + want), "a read wrote behind its range");
            }
            if (got < 0) {
                check(decoded.read() == -1, "end of stream is not sticky for read()");
                check(decoded.read(buffer, 0, want) == -1, "end of stream is not sticky for read(byte[])");
                return;
            }
            sink.accept(buffer, MARGIN, got);
        }
    }

    private static boolean isCanary(byte[] buffer, int from, int limit) {
        for (int i = from; i < limit; i++) {
            if (buffer[i] != CANARY) {
                return false;
            }
        }
        return true;
    }

    /**
     * Decodes with the protocol of {@code DecompressorStream}: feeds of the given sizes, output buffers of the given
     * sizes, {@code reset()} and the unread tail again between frames. The decompressor is left as it is at the end, so
     * that a caller sees whether {@code reset()} alone makes it usable.
     */
    public static Outcome throughDecompressor(Decompressor decompressor, InputStream in, Sizes feeds, Sizes outputs) {
        Outcome.Sink sink = new Outcome.Sink();
        Throwable error = null;
        try {
            drive(decompressor, in, feeds, outputs, sink);
        } catch (AssertionError breach) {
            throw breach;
        } catch (Throwable thrown) {
            error = thrown;
        }
        return sink.outcome(error);
    }

    private static void drive(Decompressor d, InputStream in, Sizes feeds, Sizes outputs, Outcome.Sink sink)
            throws IOException {
        byte[] fed = new byte[feeds.max()];
        byte[] out = new byte[outputs.max() + 2 * MARGIN];
        int fedBytes = 0;
        check(!d.finished(), "finished() before any input");
        for (; ; ) {
            int want = outputs.next();
            Arrays.fill(out, MARGIN + want, Math.min(out.length, 2 * MARGIN + want), CANARY);
            int got = d.decompress(out, MARGIN, want);
            check(got >= 0 && got <= want, "decompress into " + want + " bytes returned " + got);
            check(isCanary(out, MARGIN + want, 2 * MARGIN + want), "decompress wrote behind its range");
            sink.accept(out, MARGIN, got);
            if (got > 0) {
                continue;
            }
            check(!d.needsDictionary(), "needsDictionary() is an end of stream to every caller");
            if (d.finished()) {
                int remaining = d.getRemaining();
                check(remaining >= 0 && remaining <= fedBytes, "getRemaining() " + remaining + " of " + fedBytes);
                if (remaining > 0) {
                    int from = fedBytes - remaining;
                    d.reset();
                    d.setInput(fed, from, remaining);
                } else {
                    fedBytes = readFully(in, fed, feeds.next());
                    if (fedBytes == 0) {
                        return;
                    }
                    d.reset();
                    d.setInput(fed, 0, fedBytes);
                }
                check(!d.finished(), "finished() after reset()");
            } else if (d.needsInput()) {
                fedBytes = readFully(in, fed, feeds.next());
                if (fedBytes == 0) {
                    throw new EOFException("Unexpected end of input stream");
                }
                d.setInput(fed, 0, fedBytes);
            } else {
                throw new AssertionError("decompress returned 0, neither finished nor in need of input: endless loop");
            }
        }
    }

    private static int readFully(InputStream in, byte[] into, int want) throws IOException {
        return Math.max(0, in.readNBytes(into, 0, want));
    }

    private static void check(boolean holds, String breach) {
        if (!holds) {
            throw new AssertionError(breach);
        }
    }
}
