package io.warpcodec.hadoop;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The outcome of decoding: the bytes that the decoder delivered, as a count and a digest, and the throwable that ended
 * it. The throwable is null where the decoder reported a clean end. {@code head} keeps the first bytes for messages and
 * small comparisons.
 */
public record Outcome(long bytes, String sha256, byte[] head, Throwable error) {

    public boolean isSuccess() {
        return error == null;
    }

    public boolean isExactly(byte[] expected) {
        return error == null && bytes == expected.length && sha256.equals(sha256(expected));
    }

    public static String sha256(byte[] bytes) {
        Sink sink = new Sink();
        sink.accept(bytes, 0, bytes.length);
        return sink.outcome(null).sha256();
    }

    @Override
    public String toString() {
        return bytes + " bytes, sha256 " + sha256.substring(0, 12) + ", "
                + (error == null ? "clean end" : "then " + error);
    }

    /** Takes decoded bytes without holding more than the first {@code HEAD} of them. */
    static final class Sink {
        private static final int HEAD = 1 << 16;
        private final MessageDigest digest;
        private final ByteArrayOutputStream head = new ByteArrayOutputStream();
        private long count;

        Sink() {
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError(e);
            }
        }

        void accept(byte[] b, int off, int len) {
            digest.update(b, off, len);
            if (head.size() < HEAD) {
                head.write(b, off, Math.min(len, HEAD - head.size()));
            }
            count += len;
        }

        Outcome outcome(Throwable error) {
            return new Outcome(count, HexFormat.of().formatHex(digest.digest()), head.toByteArray(), error);
        }
    }
}
