package io.warpcodec.engine.cpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdCompressCtx;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.zstd.ZstdPosition;
import io.warpcodec.engine.zstd.ZstdSegmentDecoder;
import io.warpcodec.format.zstd.ZstdBlockHeader;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdSegmentReaderTest {
    private static final int BLOCK_BYTES = 128 << 10;
    private static final int HEADER_BYTES = 6;

    /** Takes a frame's first block for a segment, whose bytes are gone when they are asked for. */
    private static final class Forgetful implements ZstdSegmentDecoder {
        private final int inputBytes;
        private int left;

        Forgetful(int inputBytes) {
            this.inputBytes = inputBytes;
        }

        @Override
        public void begin(ZstdFrameHeader header) {}

        @Override
        public ZstdPosition position() {
            return ZstdPosition.BEGIN;
        }

        @Override
        public int leastInputBytes() {
            return 1;
        }

        @Override
        public int usefulInputBytes() {
            return 1;
        }

        @Override
        public boolean advance(ByteBuffer input) {
            input.position(input.position() + inputBytes);
            left = BLOCK_BYTES;
            return true;
        }

        @Override
        public int outputBytes() {
            return left;
        }

        @Override
        public boolean take(ByteBuffer target) {
            left = 0;
            return false;
        }

        @Override
        public void sessionDid(int rawBytes, long nanos) {}

        @Override
        public long bytesIn() {
            return 0;
        }

        @Override
        public long bytesOut() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** libzstd decodes ahead: what is wrong behind a segment must not be met while the segment is read. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatLiesBehindASegmentIsNotRead(boolean onHeap) throws IOException {
        byte[] raw = GpuStreams.text(3 * BLOCK_BYTES, 1);
        byte[] file;
        try (ZstdCompressCtx context = new ZstdCompressCtx()) {
            file = context.setLevel(3).setWindowLog(17).setContentSize(false).compress(raw);
        }
        int header = file[HEADER_BYTES] & 0xff
                | (file[HEADER_BYTES + 1] & 0xff) << 8
                | (file[HEADER_BYTES + 2] & 0xff) << 16;
        int inputBytes = 3 + ZstdBlockHeader.of(header).contentBytes();
        // the next block is of the reserved type
        Arrays.fill(file, HEADER_BYTES + inputBytes, file.length, (byte) 0xff);
        ByteBuffer input = onHeap
                ? ByteBuffer.wrap(file)
                : ByteBuffer.allocateDirect(file.length).put(file);
        input.position(HEADER_BYTES);
        ZstdSegmentReader reader = new ZstdSegmentReader(new Forgetful(inputBytes));
        reader.begin(1 << 17);
        assertThat(reader.advance(input)).isTrue();
        ByteBuffer output = ByteBuffer.allocate(BLOCK_BYTES + 1);
        reader.take(input, output);
        assertThat(output.position()).isEqualTo(BLOCK_BYTES);
        assertThat(Arrays.equals(output.array(), 0, BLOCK_BYTES, raw, 0, BLOCK_BYTES))
                .isTrue();
        assertThat(input.position()).isEqualTo(HEADER_BYTES + inputBytes);
    }
}
