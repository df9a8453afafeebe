package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** One byte read by an array of one is the byte that the stream has. */
class BulkInputStreamTest {

    @Test
    void everyByteAndTheEndAreReadSingly() throws IOException {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        BulkInputStream stream = over(all);
        for (int i = 0; i < all.length; i++) {
            assertThat(stream.read()).isEqualTo(i);
        }
        assertThat(stream.read()).isEqualTo(-1);
        assertThat(stream.read()).isEqualTo(-1);
    }

    @Test
    void singleBytesAndArraysShareOnePosition() throws IOException {
        BulkInputStream stream = over(new byte[] {1, 2, 3, 4, 5});
        assertThat(stream.read()).isEqualTo(1);
        assertThat(stream.readNBytes(2)).containsExactly(2, 3);
        assertThat(stream.read()).isEqualTo(4);
        assertThat(stream.readAllBytes()).containsExactly(5);
    }

    @Test
    void aFailureOfTheSourceIsThatOfTheByte() {
        BulkInputStream stream = new BulkInputStream() {
            @Override
            public int read(byte[] target, int start, int length) throws IOException {
                throw new IOException("torn");
            }
        };
        assertThatThrownBy(stream::read).isInstanceOf(IOException.class).hasMessage("torn");
    }

    private static BulkInputStream over(byte[] bytes) {
        ByteArrayInputStream source = new ByteArrayInputStream(bytes);
        return new BulkInputStream() {
            @Override
            public int read(byte[] target, int start, int length) {
                return source.read(target, start, length);
            }
        };
    }
}
