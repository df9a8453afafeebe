package io.warpcodec.format.store;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SyncPoints;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Stored units. */
public enum StoreContainer implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.STORE;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return new StoreScanner();
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return new StoreAssembler();
    }

    @Override
    public SyncPoints syncPoints() {
        return new StoreSyncPoints();
    }

    @Override
    public boolean isRecognised(ByteBuffer head) {
        ByteBuffer numbers = head.duplicate().order(ByteOrder.BIG_ENDIAN);
        return head.limit() >= StoreHeader.BYTES && StoreHeader.defect(numbers.getInt(0), numbers.getInt(4)) == null;
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("stored units", "CRC-32", ContainerHeader.NONE);
    }
}
