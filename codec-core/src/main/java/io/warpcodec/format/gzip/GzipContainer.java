package io.warpcodec.format.gzip;

import static io.warpcodec.format.gzip.GzipFormat.*;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.format.Window;
import java.nio.ByteBuffer;

/** gzip members. */
public enum GzipContainer implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.GZIP;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return new GzipScanner(options.framing());
    }

    @Override
    public Scanner pushedScanner(CodecOptions options) {
        return GzipScanner.ofPushed(options.framing());
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return new GzipAssembler(0);
    }

    @Override
    public Assembler recordAssembler(CodecOptions options) {
        return new GzipAssembler(options.chunkBytes(Format.GZIP));
    }

    @Override
    public SyncPoints syncPoints() {
        return new GzipSyncPoints();
    }

    @Override
    public boolean isRecognised(ByteBuffer head) {
        return head.limit() >= Short.BYTES && GzipHeader.mayStartWith(head.getShort(0), Short.BYTES);
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("gzip", "CRC-32", index(head));
    }

    private static String index(ByteBuffer head) {
        Window window = new BufferWindow(head.slice(0, head.limit()), 0);
        GzipHeader header = window.buffered() < LEN_AT ? null : GzipHeader.startAt(window, 0);
        if (header == null || !header.hasExtra()) {
            return ContainerHeader.NONE;
        }
        if (isOurSubfield(window, SUBFIELD_AT) && window.buffered() > VERSION_AT) {
            return "warpcodec, version " + window.u8(VERSION_AT);
        }
        return isBgzfSubfield(window, SUBFIELD_AT) ? "BGZF" : ContainerHeader.NONE;
    }
}
