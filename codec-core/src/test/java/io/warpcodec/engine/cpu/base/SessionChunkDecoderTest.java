package io.warpcodec.engine.cpu.base;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.cpu.lz4.Lz4CpuCodec;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a chunk costs whose hints are false: no more than its first unit, and no more than the hint. */
class SessionChunkDecoderTest {
    private static final int UNIT_RAW_BYTES = 3000;
    private static final HeapLeases LEASES = new HeapLeases();

    /** A session that counts what it makes. */
    private static final class Counted implements DecodeSession {
        private final DecodeSession session;
        private long rawBytes;

        Counted(DecodeSession session) {
            this.session = session;
        }

        @Override
        public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
            int before = output.position();
            try {
                return session.decode(input, output);
            } finally {
                rawBytes += output.position() - before;
            }
        }

        @Override
        public void reset(long offset) {
            session.reset(offset);
        }

        @Override
        public String missing() {
            return session.missing();
        }

        @Override
        public void close() {
            session.close();
        }
    }

    private static byte[] units(Format format, int count, int rawBytes) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            try (ChunkedOutputStream out = new ChunkedOutputStream(
                    new ByteArrayOutputStream() {
                        @Override
                        public void close() throws IOException {
                            writeTo(file);
                        }
                    },
                    format,
                    CodecOptions.DEFAULTS)) {
                out.write(new byte[rawBytes]);
            }
        }
        return file.toByteArray();
    }

    private static DecodedChunk decode(Format format, Counted session, byte[] bytes, int rawBytes) {
        int mostUnits = format == Format.LZ4 ? Lz4CpuCodec.mostUnits(CodecOptions.DEFAULTS) : 1;
        Lease input = new Lease(ByteBuffer.wrap(bytes), "test", () -> {});
        try (CpuChunkDecoder decoder = new SessionChunkDecoder(session, LEASES, mostUnits)) {
            return decoder.decode(Chunk.encoded(input, 0, bytes.length, 0, rawBytes, null), 16 << 20, null);
        }
    }

    @Test
    void aChunkOfManyUnitsIsGivenUpBehindTheFirst() throws IOException {
        for (Format format : new Format[] {Format.GZIP, Format.LZ4}) {
            Counted session = new Counted(new CpuEngine().openSession(format, CodecOptions.DEFAULTS, 0));
            DecodedChunk result = decode(format, session, units(format, 500, UNIT_RAW_BYTES), UNIT_RAW_BYTES);
            assertThat(result.status()).isEqualTo(DecodedChunk.Status.UNDECODABLE);
            assertThat(session.rawBytes).as("%s", format).isEqualTo(UNIT_RAW_BYTES);
        }
    }

    @Test
    void aChunkThatMakesMoreThanItClaimsIsGivenUp() throws IOException {
        for (Format format : new Format[] {Format.GZIP, Format.LZ4}) {
            byte[] unit = units(format, 1, 200_000);
            for (int claim : new int[] {0, 1, 4096, 65_536, 100_000}) {
                Counted session = new Counted(new CpuEngine().openSession(format, CodecOptions.DEFAULTS, 0));
                DecodedChunk result = decode(format, session, unit, claim);
                assertThat(result.status()).isEqualTo(DecodedChunk.Status.UNDECODABLE);
                assertThat(session.rawBytes).as("%s, %d claimed", format, claim).isLessThanOrEqualTo(2L * claim + 8192);
            }
        }
    }

    @Test
    void aTrueClaimIsDecodedWhateverItsSize() throws IOException {
        for (Format format : new Format[] {Format.GZIP, Format.LZ4}) {
            for (int rawBytes : new int[] {0, 1, 4095, 4096, 4097, 65_536, 131_072, 200_000, 262_144}) {
                Counted session = new Counted(new CpuEngine().openSession(format, CodecOptions.DEFAULTS, 0));
                DecodedChunk result = decode(format, session, units(format, 1, rawBytes), rawBytes);
                assertThat(result.reason()).as("%s of %d", format, rawBytes).isNull();
                assertThat(result.rawBytes()).isEqualTo(rawBytes);
                result.release();
            }
        }
    }
}
