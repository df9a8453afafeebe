package io.warpcodec.engine.cpu.store;

import io.warpcodec.CodecOptions;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.SessionHelp;
import io.warpcodec.engine.cpu.base.CpuChunkDecoder;
import io.warpcodec.engine.cpu.base.CpuChunkEncoder;
import io.warpcodec.engine.cpu.base.CpuCodec;
import io.warpcodec.engine.cpu.base.HeapLeases;
import io.warpcodec.engine.cpu.base.SessionChunkDecoder;
import io.warpcodec.format.EncodedChunk;
import io.warpcodec.format.store.StoreHeader;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** Stored units: copies and a checksum. */
public final class StoreCpuCodec implements CpuCodec {
    public static final StoreCpuCodec INSTANCE = new StoreCpuCodec();

    private StoreCpuCodec() {}

    @Override
    public CpuChunkDecoder newChunkDecoder(CodecOptions options, HeapLeases leases) {
        return new SessionChunkDecoder(new StoreSession(), leases);
    }

    @Override
    public DecodeSession newSession(CodecOptions options, HeapLeases leases, SessionHelp help) {
        return new StoreSession();
    }

    @Override
    public CpuChunkEncoder newChunkEncoder(CodecOptions options, HeapLeases leases) {
        return new Encoder(leases);
    }

    /** Makes a chunk into as many units as it needs. */
    private record Encoder(HeapLeases leases) implements CpuChunkEncoder {
        @Override
        public EncodedChunk encode(Chunk chunk) {
            int units = Math.max(1, (chunk.bytes() + StoreHeader.MAX_RAW_BYTES - 1) / StoreHeader.MAX_RAW_BYTES);
            Lease lease = leases.lease(chunk.bytes() + units * StoreHeader.unitBytes(0), "encode");
            ByteBuffer body = lease.memory().duplicate();
            ByteBuffer raw = chunk.bytesView();
            for (int i = 0; i < units; i++) {
                ByteBuffer piece = raw.slice();
                piece.limit(Math.min(StoreHeader.MAX_RAW_BYTES, piece.limit()));
                raw.position(raw.position() + piece.remaining());
                StoreHeader.put(body, piece.remaining());
                CRC32 crc = new CRC32();
                crc.update(piece.duplicate());
                body.put(piece).putInt((int) crc.getValue());
            }
            body.flip();
            return new EncodedChunk(body, 8L * body.remaining(), chunk.bytes(), 0, lease::release);
        }

        @Override
        public void close() {}
    }
}
