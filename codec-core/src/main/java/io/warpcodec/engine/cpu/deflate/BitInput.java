package io.warpcodec.engine.cpu.deflate;

import io.warpcodec.Format;
import io.warpcodec.TruncatedDataException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bits of a gzip file, the lowest of a byte first, as DEFLATE counts them. Memory: 256 KiB, and for segments
 * twice as much as they find useful, so that it is seldom moved to the front. Not thread-safe.
 */
final class BitInput {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int INPUT_BYTES = 256 << 10;

    private final InputStream source;
    private final int gatheredBytes;
    private final byte[] input;
    private int inputAt;
    private int inputLimit;
    private long inputOffset;
    /** The next bits. Those above {@link #bitCount} are the stream's next ones, which come again, or zero. */
    private long bits;

    private int bitCount;
    /** What of the member the next bits belong to. */
    private String part;

    /** @param gatheredBytes bytes that {@link #gather} has at hand */
    BitInput(InputStream source, int gatheredBytes) {
        this.source = source;
        this.gatheredBytes = gatheredBytes;
        this.input = new byte[INPUT_BYTES + 2 * gatheredBytes];
    }

    /** Names the part of the member that the next bits belong to, for the error of a file that ends there. */
    void enter(String nextPart) {
        part = nextPart;
    }

    /** Sees to it that {@code count} bits, at most 32, can be looked at; those behind the end of the file are zero. */
    boolean has(int count) throws IOException {
        if (bitCount >= count) {
            return true;
        }
        if (inputLimit - inputAt >= Long.BYTES) {
            bits |= (long) LONGS.get(input, inputAt) << bitCount;
            int bytes = Long.SIZE - 1 - bitCount >>> 3;
            inputAt += bytes;
            bitCount += 8 * bytes;
            return true;
        }
        while (bitCount < count) {
            if (inputAt == inputLimit && !fill()) {
                return false;
            }
            bits |= (input[inputAt++] & 0xffL) << bitCount;
            bitCount += 8;
        }
        return true;
    }

    private boolean fill() throws IOException {
        inputOffset += inputLimit;
        inputAt = 0;
        inputLimit = Math.max(0, source.read(input, 0, input.length));
        return inputLimit > 0;
    }

    /** The next bits, which are not taken: those that {@link #has} was asked for, and others above them. */
    int peek() {
        return (int) bits;
    }

    /** Takes bits that have been looked at; an error if the file has ended before. */
    void skip(int count) throws TruncatedDataException {
        if (count > bitCount) {
            throw truncated();
        }
        bits >>>= count;
        bitCount -= count;
    }

    /** Takes 0 to 32 bits. */
    int take(int count) throws IOException {
        if (!has(count)) {
            throw truncated();
        }
        int value = (int) (bits & (1L << count) - 1);
        bits >>>= count;
        bitCount -= count;
        return value;
    }

    /** Passes what is left of a byte. */
    void toByte() throws TruncatedDataException {
        skip(bitCount & 7);
    }

    /**
     * Takes bytes, at the start of one.
     *
     * @return how many, at least one
     */
    int take(byte[] target, int start, int mostBytes) throws IOException {
        int count = 0;
        for (; count < mostBytes && bitCount > 0; count++) {
            target[start + count] = (byte) take(8);
        }
        if (count > 0) {
            return count;
        }
        bits = 0;
        if (inputAt == inputLimit && !fill()) {
            throw truncated();
        }
        count = Math.min(mostBytes, inputLimit - inputAt);
        System.arraycopy(input, inputAt, target, start, count);
        inputAt += count;
        return count;
    }

    /** Where in the file the next bit lies. */
    long bitOffset() {
        return 8 * (inputOffset + inputAt) - bitCount;
    }

    /** The byte of the file that the next bit lies in. */
    long byteOffset() {
        return bitOffset() >>> 3;
    }

    /**
     * Gives the bytes back that were looked ahead at: {@link #ahead} begins with the byte that the next bit lies in.
     *
     * @return that bit, 0 to 7, for {@link #take} to pass; -1 if those bytes have left the memory, and nothing is
     *     given back
     */
    int rewind() {
        int aheadBytes = (bitCount + Byte.SIZE - 1) / Byte.SIZE;
        if (inputAt < aheadBytes) {
            return -1;
        }
        int bit = aheadBytes * Byte.SIZE - bitCount;
        inputAt -= aheadBytes;
        bits = 0;
        bitCount = 0;
        return bit;
    }

    /**
     * Has as much input at hand as segments find useful, or all there is; no more, for a device is at work meanwhile,
     * and would have to wait.
     */
    void gather() throws IOException {
        if (inputLimit - inputAt >= gatheredBytes) {
            return;
        }
        if (inputAt + gatheredBytes > input.length) {
            System.arraycopy(input, inputAt, input, 0, inputLimit - inputAt);
            inputOffset += inputAt;
            inputLimit -= inputAt;
            inputAt = 0;
        }
        int count = 0;
        for (; inputLimit < inputAt + gatheredBytes && count >= 0; inputLimit += Math.max(0, count)) {
            count = source.read(input, inputLimit, inputAt + gatheredBytes - inputLimit);
        }
    }

    /** The bytes at hand, when none have been looked ahead at. */
    ByteBuffer ahead() {
        return ByteBuffer.wrap(input, inputAt, inputLimit - inputAt);
    }

    /** Takes the bytes in front of this one's position. */
    void passed(ByteBuffer ahead) {
        inputAt = ahead.position();
    }

    private TruncatedDataException truncated() {
        return new TruncatedDataException(
                Format.GZIP, inputOffset + inputLimit, "the stream ends inside a member's " + part);
    }
}
