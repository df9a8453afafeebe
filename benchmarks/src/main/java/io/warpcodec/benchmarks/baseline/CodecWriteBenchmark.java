package io.warpcodec.benchmarks.baseline;

import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.StreamCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compresses text with writes of 64 KiB. The score is raw bytes per microsecond, which is MB/s, of all threads together
 * ({@code -t}); each thread compresses the whole text by itself.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(CodecWork.OPERATION_BYTES)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@State(Scope.Benchmark)
public class CodecWriteBenchmark {
    private static final int VERIFIED_BYTES = 4 << 20;

    /** A pair's word. */
    @Param({
        "gz",
        "deflate",
        "bz2",
        "snappy",
        "lz4-hadoop",
        "lz4-frame",
        "zst",
        "spark-lz4",
        "spark-zstd",
        "spark-snappy",
        "spark-gzip"
    })
    public String pair;

    /** Which codec writes; {@code alternating} changes from one iteration to the next, ours first. */
    @Param({"ours", "stock"})
    public String side;

    /** Size of the raw text in MB. */
    @Param("100")
    public int megabytes;

    /** Size of one write in bytes. */
    @Param("65536")
    public int bufferBytes;

    private final SideInTurn sideInTurn = new SideInTurn();
    private final StreamCodec[] codecs = new StreamCodec[2];
    private byte[] raw;

    /** Gets the text and verifies that the stock codec reads the start of it from what each codec writes. */
    @Setup(Level.Trial)
    public void prepare() throws IOException {
        raw = BenchmarkFiles.raw(megabytes);
        CodecPair chosen = CodecPair.ofWord(pair);
        byte[] start = Arrays.copyOf(raw, Math.min(raw.length, VERIFIED_BYTES));
        for (Side each : SideInTurn.sides(side)) {
            StreamCodec codec = chosen.codec(each);
            CodecWork.verify(chosen.codec(Side.STOCK), CodecWork.compress(codec, start), start);
            codecs[each.ordinal()] = codec;
        }
    }

    /** Decides who writes in this iteration. */
    @Setup(Level.Iteration)
    public void turn() {
        sideInTurn.next(side);
    }

    /** One thread's two writers; each goes on where its last iteration ended. */
    @State(Scope.Thread)
    public static class Writer {
        private final CodecWork[] works = new CodecWork[2];
        private CodecWork work;

        @Setup(Level.Iteration)
        public void turn(CodecWriteBenchmark all) {
            int index = all.sideInTurn.side().ordinal();
            if (works[index] == null) {
                works[index] = new CodecWork.Writing(all.codecs[index], all.raw, all.bufferBytes);
            }
            work = works[index];
        }

        @TearDown(Level.Trial)
        public void close() throws IOException {
            for (CodecWork each : works) {
                if (each != null) {
                    each.stop();
                }
            }
        }
    }

    @Benchmark
    public void write(Writer writer) throws IOException {
        writer.work.step();
    }
}
