package io.warpcodec.stream.unit;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.Lease;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a window knows of the bytes that are still to come. */
class SourceWindowTest {
    private static final long OFFSET = 1_000_000;

    /** A window that begins far behind the file's start, over a source of so many bytes that says nothing of them. */
    private static SourceWindow window(int bytes) {
        InputStream silent = new ByteArrayInputStream(new byte[bytes]) {
            @Override
            public synchronized int available() {
                return 0;
            }
        };
        return new SourceWindow(
                silent, OFFSET, 64 << 10, size -> new Lease(ByteBuffer.allocate(size), "test", () -> {}));
    }

    @Test
    void aShortSplitNearTheEndOfALongFileIsShort() throws IOException {
        SourceWindow window = window(300);
        window.expectTo(OFFSET + 200);
        assertThat(window.expectedBytes()).isEqualTo(200);
    }

    @Test
    void whatIsReadAndConsumedIsNotExpectedAgain() throws IOException {
        SourceWindow window = window(300);
        window.expectTo(OFFSET + 300);
        window.setBlocking(true);
        assertThat(window.require(10)).isTrue();
        window.consume(100);
        assertThat(window.expectedBytes()).isEqualTo(200);
        window.consume(200);
        assertThat(window.require(1)).isFalse();
        assertThat(window.expectedBytes()).as("at the end").isZero();
        window.release();
    }
}
