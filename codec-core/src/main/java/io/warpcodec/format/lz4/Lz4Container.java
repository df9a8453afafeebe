package io.warpcodec.format.lz4;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SkippableFrames;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.hadoopframing.HadoopFramingAssembler;
import java.nio.ByteBuffer;

/** The three containers of LZ4 blocks: frames, Hadoop's framing, and lz4-java's blocks in Spark's streams. */
public enum Lz4Container implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.LZ4;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return options.framing() == Framing.SPARK ? new Lz4BlockScanner() : new Lz4Scanner(options);
    }

    @Override
    public Scanner pushedScanner(CodecOptions options) {
        return options.framing() == Framing.SPARK ? scanner(options) : Lz4Scanner.ofPushed(options);
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return switch (options.framing()) {
            case STANDARD -> new Lz4FrameAssembler(0, true);
            case HADOOP -> new HadoopFramingAssembler();
            case SPARK -> new Lz4BlockAssembler(options.chunkBytes(Format.LZ4));
        };
    }

    @Override
    public Assembler recordAssembler(CodecOptions options) {
        return unmarked(options, true);
    }

    @Override
    public Assembler bareAssembler(CodecOptions options) {
        return unmarked(options, false);
    }

    private Assembler unmarked(CodecOptions options, boolean loneIsChecked) {
        return options.framing() == Framing.STANDARD
                ? new Lz4FrameAssembler(options.chunkBytes(Format.LZ4), loneIsChecked)
                : assembler(options);
    }

    @Override
    public SyncPoints syncPoints() {
        return new Lz4SyncPoints();
    }

    @Override
    public boolean isRecognised(ByteBuffer head) {
        int at = SkippableFrames.end(head);
        if (at + Integer.BYTES > head.limit()) {
            return false;
        }
        int magic = head.getInt(at);
        return magic == Lz4Format.FRAME_MAGIC || magic == Lz4Format.LEGACY_MAGIC;
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        int at = SkippableFrames.end(head);
        String index = at > 0 ? "skippable frame" : ContainerHeader.NONE;
        int flgAt = at + Integer.BYTES;
        if (flgAt >= head.limit()) {
            return new ContainerHeader(
                    head.limit() < Integer.BYTES ? "Hadoop" : "LZ4 frame", ContainerHeader.NONE, index);
        }
        int magic = head.getInt(at);
        if (magic == Lz4Format.LEGACY_MAGIC) {
            return new ContainerHeader("LZ4 legacy frame", ContainerHeader.NONE, index);
        }
        if (magic != Lz4Format.FRAME_MAGIC) {
            return new ContainerHeader("Hadoop", ContainerHeader.NONE, ContainerHeader.NONE);
        }
        boolean blocks = Lz4FrameHeader.hasBlockChecksums(head.get(flgAt));
        boolean content = Lz4FrameHeader.hasContentChecksum(head.get(flgAt));
        String checksum = content
                ? blocks ? "XXH32, also of blocks" : "XXH32"
                : blocks ? "XXH32 of blocks" : ContainerHeader.NONE;
        return new ContainerHeader("LZ4 frame", checksum, index);
    }
}
