package io.warpcodec.hadoop.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Coding;
import io.warpcodec.hadoop.ForkedJvm;
import io.warpcodec.hadoop.Payloads;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** bzip2 blocks of 36 bytes that make 45 MB each, in processes whose heap has no room for a few of them. */
@Timeout(300)
class Bzip2MemoryTest {
    private static final String PASSED = "passed";
    private static final long RAW_BYTES = 100_000_000;
    /** The processes are over before the second one pays. */
    private static final String FIRST_COMPILER = "-XX:TieredStopAtLevel=1";

    @Test
    void theCodecWritesAndReadsInSixtyFourMegabytes() throws Exception {
        assertThat(ForkedJvm.run(Expanding.class, List.of("-Xmx64m", FIRST_COMPILER), "1"))
                .contains(PASSED);
    }

    /** A threaded engine holds four chunks a thread. */
    @Test
    void sixteenThreadsHoldTextsAndNotWhatTheyExpandTo() throws Exception {
        assertThat(ForkedJvm.run(Expanding.class, List.of("-Xmx256m", FIRST_COMPILER), "16"))
                .contains(PASSED);
    }

    /** Writes a little and reads a file of one small stream over and over; the argument is {@code cpu.threads}. */
    static final class Expanding {
        /** 45,000,000 zeros in one block, by commons-compress 1.27.1. */
        private static final byte[] ZEROS = HexFormat.of()
                .parseHex("425a6839314159265359c901b6c80158ab4020c00010000008200030cc0529a65248526c5492149e2ee48a70"
                        + "a12192036d90");

        private static final int STREAMS = 12;

        public static void main(String[] arguments) throws IOException {
            Engines.useCpuThreads(Integer.parseInt(arguments[0]));
            CompressionCodec codec = CodecUnderTest.BZIP2.codec();
            byte[] noise = Payloads.noise(2_000_000, 5);
            if (!Arrays.equals(Coding.decompress(codec, Coding.compress(codec, noise)), noise)) {
                throw new AssertionError("not what was written");
            }
            byte[][] streams = new byte[STREAMS][];
            Arrays.fill(streams, ZEROS);
            byte[] piece = new byte[100_000];
            byte[] expected = new byte[piece.length];
            long read = 0;
            try (InputStream in = codec.createInputStream(new ByteArrayInputStream(Bytes.concat(streams)))) {
                while (read < RAW_BYTES) {
                    int count = in.read(piece);
                    if (count < 0 || !Arrays.equals(piece, 0, count, expected, 0, count)) {
                        throw new AssertionError(count + " bytes at " + read);
                    }
                    read += count;
                }
            }
            System.out.println(PASSED);
        }
    }
}
