package io.warpcodec.format.zstd;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.SyncPoints;
import java.nio.ByteBuffer;

/** Zstandard frames. */
public enum ZstdContainer implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.ZSTD;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return new ZstdScanner(options.framing(), options.outputBudgetBytes());
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return new ZstdAssembler();
    }

    @Override
    public SyncPoints syncPoints() {
        return new ZstdSyncPoints();
    }

    @Override
    public boolean isRecognised(ByteBuffer head) {
        int at = SkippableFrames.end(head);
        return at + Integer.BYTES <= head.limit() && head.getInt(at) == ZstdFormat.MAGIC;
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        int at = SkippableFrames.end(head);
        int descriptorAt = at + ZstdFormat.MAGIC_BYTES;
        boolean checked = descriptorAt < head.limit() && ZstdFrameHeader.hasChecksum(head.get(descriptorAt));
        return new ContainerHeader(
                "zstd", checked ? "XXH64" : ContainerHeader.NONE, at > 0 ? "skippable frame" : ContainerHeader.NONE);
    }
}
