package io.warpcodec.engine.gpu.block;

import java.util.Arrays;
import java.util.Random;

/** Ways to damage a compressed block, drawn at random. */
public final class BlockDamage {
    private BlockDamage() {}

    private static final int KINDS = 8;
    private static final int MOST_BITS = 8;
    private static final int MOST_BYTES = 20;
    /** Offsets of zero, of next to nothing, and at formats' limits, for the checks of a copy's bounds. */
    private static final int[] OFFSETS = {0, 1, 2, 0x7fff, 0x8000, 0xffff};

    /**
     * A copy of the block with one kind of damage, which may be none that a decoder can see.
     *
     * @param block one byte at least
     * @param other another block, which a splice continues with
     */
    public static byte[] of(Random random, byte[] block, byte[] other) {
        byte[] damaged = block.clone();
        int at = random.nextInt(block.length);
        switch (random.nextInt(KINDS)) {
            case 0 -> { // bits
                for (int count = 1 + random.nextInt(MOST_BITS); count > 0; count--) {
                    damaged[random.nextInt(block.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
            case 1 -> { // bytes
                for (int count = 1 + random.nextInt(MOST_BYTES); count > 0; count--) {
                    damaged[random.nextInt(block.length)] = (byte) random.nextInt();
                }
            }
            case 2 -> damaged = Arrays.copyOf(block, at);
            case 3 -> damaged = joined(block, at, block, Math.min(block.length, at + 1 + random.nextInt(MOST_BYTES)));
            case 4 -> damaged = joined(block, at, block, Math.max(0, at - 1 - random.nextInt(MOST_BYTES)));
            case 5 -> damaged = joined(block, at, other, random.nextInt(other.length));
            case 6 -> { // two bytes that may be an offset
                int offset = random.nextBoolean() ? OFFSETS[random.nextInt(OFFSETS.length)] : random.nextInt(1 << 16);
                damaged[at] = (byte) offset;
                if (at + 1 < block.length) {
                    damaged[at + 1] = (byte) (offset >> 8);
                }
            }
            default -> // a length that goes on, or ends, where it should not
                Arrays.fill(damaged, at, Math.min(block.length, at + 1 + random.nextInt(MOST_BYTES)), (byte)
                        (random.nextBoolean() ? 0xff : 0));
        }
        return damaged;
    }

    /** The first bytes of one, then the other from an index on. */
    private static byte[] joined(byte[] front, int frontBytes, byte[] back, int backAt) {
        byte[] all = Arrays.copyOf(front, frontBytes + back.length - backAt);
        System.arraycopy(back, backAt, all, frontBytes, back.length - backAt);
        return all;
    }
}
