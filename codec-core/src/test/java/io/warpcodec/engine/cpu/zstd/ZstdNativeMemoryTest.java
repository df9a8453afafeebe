package io.warpcodec.engine.cpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.base.NativeBytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Native memory of zstd sessions: bounded by those in use, whoever forgets to close them. */
class ZstdNativeMemoryTest {
    private static final int WINDOW_LOG = 20;
    private static final int BLOCK_BYTES = 20_000;
    private static final int SESSIONS = 10_000;
    private static final long BOUND_BYTES = 2L << 30;

    private final CpuEngine engine = new CpuEngine();

    /** A frame with a window of 1 MiB that does not name its content size, so that libzstd must keep a whole window. */
    private static byte[] frame() {
        byte[] raw = new byte[BLOCK_BYTES];
        new Random(1).nextBytes(raw);
        ByteBuffer frame = ByteBuffer.allocate(100 + 3 * BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        frame.putInt(0xfd2fb528).put((byte) 0).put((byte) (WINDOW_LOG - 10 << 3));
        for (int block = 0; block < 3; block++) {
            int header = (block == 2 ? 1 : 0) | BLOCK_BYTES << 3;
            frame.putShort((short) header).put((byte) (header >> 16)).put(raw);
        }
        return Arrays.copyOf(frame.array(), frame.position());
    }

    private DecodeSession halfRead(byte[] frame) throws Exception {
        DecodeSession session = engine.openSession(Format.ZSTD, CodecOptions.DEFAULTS, 0);
        ByteBuffer output = ByteBuffer.allocate(1000);
        assertThat(session.decode(ByteBuffer.wrap(frame), output)).isEqualTo(DecodeSession.State.NEEDS_OUTPUT);
        return session;
    }

    @Test
    void closedSessionsFreeWhatTheyTook() throws Exception {
        byte[] frame = frame();
        DecodeSession session = halfRead(frame);
        assertThat(NativeBytes.taken()).isGreaterThanOrEqualTo(1L << WINDOW_LOG);
        session.close();
        session.close();
        session = engine.openSession(Format.ZSTD, CodecOptions.DEFAULTS, 0);
        long before = NativeBytes.taken();
        session.decode(ByteBuffer.wrap(frame), ByteBuffer.allocate(10));
        session.reset(0);
        assertThat(NativeBytes.taken()).isLessThanOrEqualTo(before);
    }

    @Test
    void tenThousandAbandonedSessionsDoNotGrowNativeMemory() throws Exception {
        byte[] frame = frame();
        long most = 0;
        for (int i = 0; i < SESSIONS; i++) {
            halfRead(frame);
            most = Math.max(most, NativeBytes.taken());
        }
        assertThat(most).isLessThan(BOUND_BYTES);
        for (int i = 0; i < 200 && NativeBytes.taken() > 64 << 20; i++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(NativeBytes.taken()).isLessThan(64 << 20);
    }
}
