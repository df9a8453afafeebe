package io.warpcodec.engine.cpu.lz4;

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
    private static List<Lz4Blocks> libraries() {
        return List.of(
                Lz4Blocks.FASTEST,
                new Lz4Blocks(LZ4Factory.safeInstance().safeDecompressor()),
                new Lz4Blocks(LZ4Factory.unsafeInstance().safeDecompressor()));
    }

    @Test
    void offsetZeroIsZerosOnEveryLibraryWhateverTheOutputHeld() throws DataFormatException {
        for (Lz4Blocks blocks : libraries()) {
            for (int literalBytes = 0; literalBytes < 60; literalBytes++) {
                for (int matchBytes = 4; matchBytes < 100; matchBytes++) {
                    int tailBytes = 12 + literalBytes % 3;
                    byte[] block = Lz4Blocks.offsetZero(literalBytes, matchBytes, tailBytes);
                    int wholeBytes = literalBytes + matchBytes + tailBytes;
                    byte[] expected = new byte[wholeBytes];
                    Arrays.fill(expected, 0, literalBytes, (byte) 'a');
                    Arrays.fill(expected, literalBytes + matchBytes, wholeBytes, (byte) 'z');
                    for (int capacityBytes : new int[] {wholeBytes, wholeBytes + 14, 3000}) {
                        byte[] raw = new byte[3100];
                        Arrays.fill(raw, (byte) 0x5a);
                        int rawBytes = blocks.decode(
                                ByteBuffer.wrap(block), 0, block.length, ByteBuffer.wrap(raw), 3, capacityBytes);
                        assertThat(rawBytes).isEqualTo(wholeBytes);
                        assertThat(Arrays.equals(raw, 3, 3 + wholeBytes, expected, 0, wholeBytes))
                                .as("%d literals, match of %d, room for %d", literalBytes, matchBytes, capacityBytes)
                                .isTrue();
                    }
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
                int rawBytes = Lz4Blocks.FASTEST.decode(merged, 0, mergedBytes, ByteBuffer.wrap(raw), 0, raw.length);
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
