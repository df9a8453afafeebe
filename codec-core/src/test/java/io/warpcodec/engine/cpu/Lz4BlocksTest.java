package io.warpcodec.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.DataFormatException;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

class Lz4BlocksTest {
    private static final byte[] OFFSET_ZERO = {0x1f, 'a', 0, 0, 21, 0x50, 'b', 'c', 'd', 'e', 'f'};

    private static List<Lz4Blocks> libraries() {
        return List.of(
                Lz4Blocks.FASTEST,
                new Lz4Blocks(LZ4Factory.safeInstance().safeDecompressor()),
                new Lz4Blocks(LZ4Factory.unsafeInstance().safeDecompressor()));
    }

    @Test
    void noLibraryShowsWhatTheOutputHeldBefore() {
        for (Lz4Blocks blocks : libraries()) {
            for (boolean covered : new boolean[] {false, true}) {
                byte[] raw = new byte[64];
                Arrays.fill(raw, (byte) 0x5a);
                try {
                    blocks.decode(
                            ByteBuffer.wrap(OFFSET_ZERO), 0, OFFSET_ZERO.length, ByteBuffer.wrap(raw), 0, 64, covered);
                    assertThat(covered)
                            .as("accepted only where a checksum decides")
                            .isTrue();
                    assertThat(Arrays.copyOfRange(raw, 1, 41)).containsOnly(0);
                } catch (DataFormatException refused) {
                    assertThat(refused).hasMessageMatching("a match offset is 0|an LZ4 block is invalid.*");
                }
            }
        }
    }

    @Test
    void offsetZeroIsFoundWhereverItStandsAndNowhereElse() {
        Random random = new Random(1);
        byte[] raw = new byte[5000];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) random.nextInt(1 + random.nextInt(3));
        }
        byte[] block = LZ4Factory.fastestInstance().fastCompressor().compress(raw);
        assertThat(Lz4Blocks.holdsOffsetZero(ByteBuffer.wrap(block), 0, block.length))
                .isFalse();
        int sequences = 0;
        for (int at = 0; at < block.length; ) {
            int token = block[at++] & 0xff;
            int literals = token >> 4;
            for (int more = 255; literals >= 15 && more == 255; literals += more) {
                more = block[at++] & 0xff;
            }
            at += literals;
            if (at == block.length) {
                break;
            }
            byte[] bad = block.clone();
            bad[at] = 0;
            bad[at + 1] = 0;
            assertThat(Lz4Blocks.holdsOffsetZero(ByteBuffer.wrap(bad), 0, bad.length))
                    .isTrue();
            sequences++;
            at += 2;
            if ((token & 15) == 15) {
                while (block[at++] == -1) {
                    // length byte
                }
            }
        }
        assertThat(sequences).isGreaterThan(100);
    }

    @Test
    void zerosAreFoundFromFourInARow() {
        for (int length = 4; length < 24; length++) {
            for (int run = 0; run <= 6 && run <= length; run++) {
                for (int at = 0; at + run <= length; at++) {
                    byte[] bytes = new byte[length + 8];
                    Arrays.fill(bytes, 3, 3 + length, (byte) 7);
                    Arrays.fill(bytes, 3 + at, 3 + at + run, (byte) 0);
                    assertThat(Lz4Blocks.holdsZeros(ByteBuffer.wrap(bytes), 3, length))
                            .as("%d zeros at %d of %d", run, at, length)
                            .isEqualTo(run >= 4);
                }
            }
        }
    }

    @Test
    void aMergedBlockDecodesToItsHistoryAndItsContent() throws DataFormatException {
        Random random = new Random(2);
        for (int historyBytes : new int[] {1, 14, 15, 16, 254, 269, 270, 300, 65535, 65536}) {
            for (int literalBytes : new int[] {0, 1, 14, 15, 16, 270, 700}) {
                byte[] history = new byte[historyBytes];
                random.nextBytes(history);
                byte[] literals = new byte[literalBytes];
                random.nextBytes(literals);
                ByteBuffer block = ByteBuffer.allocate(2000);
                block.put((byte) (Math.min(15, literalBytes) << 4 | 4));
                for (int rest = literalBytes - 15; rest >= 0; rest -= 255) {
                    block.put((byte) Math.min(255, rest));
                }
                block.put(literals).put((byte) (historyBytes + literalBytes)).put((byte)
                        (historyBytes + literalBytes >> 8));
                boolean reachable = historyBytes + literalBytes < 65536;
                block.put((byte) 0x50).put(new byte[] {1, 2, 3, 4, 5});
                if (!reachable) {
                    continue;
                }
                ByteBuffer merged = ByteBuffer.allocate(Lz4Blocks.mergedBytes(historyBytes, block.position()));
                int mergedBytes =
                        Lz4Blocks.merge(ByteBuffer.wrap(history), 0, historyBytes, block, 0, block.position(), merged);
                byte[] raw = new byte[historyBytes + literalBytes + 13];
                int rawBytes =
                        Lz4Blocks.FASTEST.decode(merged, 0, mergedBytes, ByteBuffer.wrap(raw), 0, raw.length, true);
                assertThat(rawBytes).isEqualTo(raw.length);
                assertThat(raw).startsWith(history);
                byte[] match = Arrays.copyOfRange(raw, historyBytes + literalBytes, historyBytes + literalBytes + 8);
                assertThat(match).isEqualTo(Arrays.copyOfRange(raw, 0, 8));
            }
        }
    }

    @Test
    void aBlockThatEndsInItsFirstLengthCannotBeMerged() {
        ByteBuffer room = ByteBuffer.allocate(2000);
        for (byte[] block : new byte[][] {{(byte) 0xf0}, {(byte) 0xf0, -1}, {(byte) 0xf0, -1, -1}, {0x20, 1}}) {
            assertThatThrownBy(() -> Lz4Blocks.merge(room, 0, 10, ByteBuffer.wrap(block), 0, block.length, room))
                    .isInstanceOf(DataFormatException.class);
        }
    }
}
