package io.warpcodec.format.gzip;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.SyncPoints;
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
        return new GzipAssembler();
    }

    @Override
    public SyncPoints syncPoints() {
        return new GzipSyncPoints();
    }

    @Override
    public boolean isRecognised(ByteBuffer head) {
        return head.limit() >= 2 && head.get(0) == (byte) GzipFormat.ID1 && head.get(1) == (byte) GzipFormat.ID2;
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("gzip", "CRC-32", index(head));
    }

    private static String index(ByteBuffer head) {
        int subfieldAt = GzipFormat.SUBFIELD_AT;
        if (head.limit() <= subfieldAt + 1 || (head.get(GzipFormat.FLG_AT) & GzipFormat.FEXTRA) == 0) {
            return ContainerHeader.NONE;
        }
        int first = head.get(subfieldAt);
        int second = head.get(subfieldAt + 1);
        if (first == GzipFormat.SI1 && second == GzipFormat.SI2 && head.limit() > GzipFormat.VERSION_AT) {
            return "warpcodec, version " + head.get(GzipFormat.VERSION_AT);
        }
        return first == GzipFormat.BGZF_SI1 && second == GzipFormat.BGZF_SI2 ? "BGZF" : ContainerHeader.NONE;
    }
}
