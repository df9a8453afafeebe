package io.warpcodec.device.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WindowedInputTest {
    private static final int BYTES = 1 << 20;

    private final byte[] file = new byte[BYTES];
    private int reads;

    private WindowedInput input() {
        new Random(1).nextBytes(file);
        return new WindowedInput(BYTES, (window, index) -> {
            reads++;
            window.put(file, index, window.remaining());
            return window.position();
        });
    }

    @Test
    void bytesInOrderCostACallForEachWindow() {
        WindowedInput input = input();
        for (int index = 0; index < BYTES; index++) {
            assertThat(input.at(index)).isEqualTo(file[index] & 0xff);
        }
        assertThat(reads).isEqualTo(BYTES / WindowedInput.WINDOW_BYTES);
    }

    @Test
    void bytesInAnyOrderAreRight() {
        WindowedInput input = input();
        Random random = new Random(2);
        for (int look = 0; look < 10_000; look++) {
            int index = random.nextInt(BYTES);
            assertThat(input.at(index)).isEqualTo(file[index] & 0xff);
        }
        assertThat(input.at(BYTES - 1)).isEqualTo(file[BYTES - 1] & 0xff);
        assertThatThrownBy(() -> input.at(BYTES)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> input.at(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void bytesThatWereCutOffAreZero() {
        WindowedInput cut = new WindowedInput(100, (window, index) -> {
            if (index >= 10) {
                throw new IOException("cut");
            }
            window.put(new byte[10 - index]);
            return 10 - index;
        });
        for (int index = 0; index < 100; index++) {
            assertThat(cut.at(index)).isZero();
        }
        WindowedInput end = new WindowedInput(100, (ByteBuffer window, int index) -> -1);
        assertThat(end.at(99)).isZero();
        assertThat(end.at(0)).isZero();
    }
}
