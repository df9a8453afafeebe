package io.warpcodec.format.snappy;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Framing;
import io.warpcodec.format.Assembler;
import io.warpcodec.format.Container;
import io.warpcodec.format.ContainerHeader;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.hadoopframing.HadoopFramingAssembler;
import io.warpcodec.format.hadoopframing.HadoopFramingScanner;
import java.nio.ByteBuffer;

/**
 * The two containers of raw Snappy blocks: Hadoop's framing, and snappy-java's in Spark's streams. Neither begins
 * with what could be recognised.
 */
public enum SnappyContainer implements Container {
    INSTANCE;

    @Override
    public Format format() {
        return Format.SNAPPY;
    }

    @Override
    public Scanner scanner(CodecOptions options) {
        return options.framing() == Framing.SPARK
                ? new XerialScanner()
                : new HadoopFramingScanner(SnappyFormat.SIZES, options.lenient());
    }

    @Override
    public Assembler assembler(CodecOptions options) {
        return options.framing() == Framing.SPARK ? new XerialAssembler() : new HadoopFramingAssembler();
    }

    @Override
    public ContainerHeader describe(ByteBuffer head) {
        return new ContainerHeader("Hadoop", ContainerHeader.NONE, ContainerHeader.NONE);
    }
}
