package io.warpcodec.benchmarks.baseline;

import io.warpcodec.benchmarks.CodecWork;
import io.warpcodec.benchmarks.StreamCodec;
import java.io.IOException;
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
 * Reads a compressed file as LineRecordReader would. The score is raw bytes per microsecond, which is MB/s, of all
 * threads together ({@code -t}); each thread reads the whole file by itself.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(CodecWork.OPERATION_BYTES)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@State(Scope.Benchmark)
public class CodecReadBenchmark {
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

    /** Which codec reads; {@code alternating} changes from one iteration to the next, ours first. */
    @Param({"ours", "stock"})
    public String side;

    /**
     * Writer of the file: {@code own} is the reading codec itself; {@code ours} or {@code stock} is one codec for
     * both readers.
     */
    @Param("own")
    public String file;

    /** Size of the raw text in MB. */
    @Param("100")
    public int megabytes;

    /** Size of one read in bytes. */
    @Param("65536")
    public int bufferBytes;

    private final SideInTurn sideInTurn = new SideInTurn();
    private final StreamCodec[] codecs = new StreamCodec[2];
    private final byte[][] files = new byte[2][];

    /** Gets the files and verifies that each codec reads its file right. */
    @Setup(Level.Trial)
    public void prepare() throws IOException {
        byte[] raw = BenchmarkFiles.raw(megabytes);
        CodecPair chosen = CodecPair.ofWord(pair);
        for (Side each : SideInTurn.sides(side)) {
            StreamCodec codec = chosen.codec(each);
            byte[] compressed = BenchmarkFiles.compressed(chosen, file.equals("own") ? each : Side.ofWord(file), raw);
            CodecWork.verify(codec, compressed, raw);
            codecs[each.ordinal()] = codec;
            files[each.ordinal()] = compressed;
        }
    }

    /** Decides who reads in this iteration. */
    @Setup(Level.Iteration)
    public void turn() {
        sideInTurn.next(side);
    }

    /** One thread's two readers; each goes on where its last iteration ended. */
    @State(Scope.Thread)
    public static class Reader {
        private final CodecWork[] works = new CodecWork[2];
        private CodecWork work;

        @Setup(Level.Iteration)
        public void turn(CodecReadBenchmark all) {
            int index = all.sideInTurn.side().ordinal();
            if (works[index] == null) {
                works[index] = new CodecWork.Reading(all.codecs[index], all.files[index], all.bufferBytes);
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
    public void read(Reader reader) throws IOException {
        reader.work.step();
    }
}
