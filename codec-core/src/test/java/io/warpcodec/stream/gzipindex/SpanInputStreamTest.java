package io.warpcodec.stream.gzipindex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.MixedBytes;
import io.warpcodec.TruncatedDataException;
import io.warpcodec.forge.ForgedIndex;
import io.warpcodec.format.gzip.GzipIndex;
import io.warpcodec.format.gzip.GzipIndexException;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.StreamRig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gzip file that is decoded by its index on several threads gives its bytes in order, and its own errors, whatever
 * the index says.
 */
class SpanInputStreamTest {
    private static final int ROWS_AT = GzipIndex.HEADER_BYTES;
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS;

    private byte[] raw;
    private byte[] file;
    private byte[] index;

    @BeforeEach
    void make() throws IOException {
        raw = MixedBytes.of(400_000, 5);
        file = StreamRig.concat(gzip(Arrays.copyOf(raw, 250_000)), gzip(Arrays.copyOfRange(raw, 250_000, raw.length)));
        index = GzipIndexer.index(() -> new ByteArrayInputStream(file), 10_000);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        ByteArrayOutputStream sink = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(sink)) {
            out.write(content);
        }
        return sink.toByteArray();
    }

    private static SpanInputStream open(byte[] file, byte[] index, int threads) throws IOException {
        SideCar sideCar = new IndexedFile.MemorySideCar(index, file.length);
        return SpanInputStream.open(() -> new ByteArrayInputStream(file), sideCar, OPTIONS, threads);
    }

    /** All bytes; those of a plain read if the index cannot be used. */
    private static byte[] decoded(byte[] file, byte[] index, int threads) throws IOException {
        try (SpanInputStream in = open(file, index, threads)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private static byte[] repaired(byte[] lie) throws IOException {
        int tableBytes = GzipIndex.tableBytes(lie, lie.length);
        CRC32 crc = new CRC32();
        crc.update(lie, 0, tableBytes - 4);
        ByteBuffer.wrap(lie).order(ByteOrder.LITTLE_ENDIAN).putInt(tableBytes - 4, (int) crc.getValue());
        return lie;
    }

    private static long counted(String defect) {
        return Metrics.counter("fallback.decode.gzip.sidecar-" + defect).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theBytesComeInOrder(int threads) throws IOException {
        assertThat(decoded(file, index, threads)).isEqualTo(raw);
        byte[] padded = StreamRig.concat(file, new byte[5_000]);
        byte[] ofPadded = GzipIndexer.index(() -> new ByteArrayInputStream(padded), 10_000);
        assertThat(decoded(padded, ofPadded, threads)).isEqualTo(raw);
    }

    @Test
    void spansAreDecodedSideBySide() throws IOException {
        Set<Thread> readers = ConcurrentHashMap.newKeySet();
        CountDownLatch both = new CountDownLatch(2);
        GzipIndexer.Opener file = () -> new ByteArrayInputStream(this.file) {
            @Override
            public int read(byte[] target, int start, int length) {
                if (isWorker() && readers.add(Thread.currentThread())) {
                    both.countDown();
                    await(both);
                }
                return super.read(target, start, length);
            }
        };
        SideCar sideCar = new IndexedFile.MemorySideCar(index, this.file.length);
        try (SpanInputStream in = SpanInputStream.open(file, sideCar, OPTIONS, 2)) {
            assertThat(in.readAllBytes()).isEqualTo(raw);
        }
        assertThat(readers).hasSize(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(300, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every field of every row: right bytes, or an index that is not used, or an error; wrong bytes never. */
    @Test
    void aLieNeverMakesWrongBytes() throws IOException {
        int tableBytes = GzipIndex.tableBytes(index, index.length);
        int right = 0;
        for (int at = ROWS_AT; at < tableBytes - 4; at += 3) {
            byte[] lie = index.clone();
            lie[at] ^= (byte) (1 << at % 8);
            try {
                byte[] got = decoded(file, repaired(lie), 3);
                right += got == null ? 0 : 1;
                assertThat(got == null || Arrays.equals(got, raw))
                        .as("byte " + at)
                        .isTrue();
            } catch (IOException noticed) {
                assertThat(noticed).as("byte " + at).hasMessageContaining("delete it");
            }
        }
        assertThat(right).isPositive();
    }

    @Test
    void aDamagedWindowEndsTheUseOfTheIndexWhereItIsNeeded() throws IOException {
        byte[] lie = index.clone();
        lie[index.length - 1] ^= 1;
        long before = counted("unreadable");
        assertThat(decoded(file, lie, 3)).isEqualTo(raw);
        assertThat(counted("unreadable")).isEqualTo(before + 1);
    }

    @Test
    void wrongBytesWithRightSumsAreNoticedAtTheTrailer() throws IOException {
        byte[] got = new byte[ForgedIndex.raw().length];
        try (SpanInputStream in = open(ForgedIndex.file(), ForgedIndex.index(), 2)) {
            assertThatThrownBy(() -> in.readNBytes(got, 0, got.length))
                    .isInstanceOf(GzipIndexException.class)
                    .hasMessageContaining("the index is not of this file")
                    .hasMessageContaining("delete it");
        }
        assertThat(got).isNotEqualTo(ForgedIndex.raw());
    }

    @Test
    void anIndexOfAnotherFileIsIgnored() throws IOException {
        byte[] other = StreamRig.concat(file, new byte[1]);
        long before = counted("stale");
        assertThat(open(other, index, 3)).isNull();
        assertThat(counted("stale")).isEqualTo(before + 1);
        assertThat(open(file, Arrays.copyOf(index, 10), 3)).isNull();
    }

    @Test
    void aDamagedFileHasTheErrorOfAPlainRead() {
        byte[] bad = StreamRig.flipped(file, 8 * (file.length / 2));
        assertThatThrownBy(() -> decoded(bad, index, 3)).satisfies(thrown -> {
            assertThat(thrown).isInstanceOfAny(CorruptDataException.class, TruncatedDataException.class);
            assertThat(thrown).hasMessage(plainError(bad));
        });
    }

    private static String plainError(byte[] file) {
        try (InputStream plain =
                new ChunkedInputStream(new ByteArrayInputStream(file), io.warpcodec.Format.GZIP, OPTIONS)) {
            plain.readAllBytes();
            return "no error";
        } catch (IOException bad) {
            return bad.getMessage();
        }
    }

    @Test
    void garbageBehindTheLastMemberIsAnErrorWhereItComes() throws IOException {
        byte[] ending = StreamRig.concat(file, new byte[20_000]);
        ending[ending.length - 9_000] = 'x';
        byte[] fits =
                GzipIndexer.index(() -> new ByteArrayInputStream(StreamRig.concat(file, new byte[20_000])), 10_000);
        // the same first and last bytes, but for the letter between padding
        byte[] head = Arrays.copyOf(ending, GzipIndex.SAMPLE_BYTES);
        byte[] tail = Arrays.copyOfRange(ending, ending.length - GzipIndex.SAMPLE_BYTES, ending.length);
        CRC32 crc = new CRC32();
        crc.update(tail);
        ByteBuffer.wrap(fits).order(ByteOrder.LITTLE_ENDIAN).putInt(28, (int) crc.getValue());
        assertThat(head).hasSize(GzipIndex.SAMPLE_BYTES);
        assertThatThrownBy(() -> decoded(ending, repaired(fits), 2))
                .isInstanceOf(CorruptDataException.class)
                .hasMessage(plainError(ending));
    }

    /** A worker's read ends when it is interrupted; a worker closes the file when the test lets it. */
    @Test
    void aCloseWaitsUntilItsWorkersHaveLeftTheFile() throws Exception {
        CountDownLatch inside = new CountDownLatch(3);
        CountDownLatch leave = new CountDownLatch(1);
        GzipIndexer.Opener file = () -> new ByteArrayInputStream(this.file) {
            private boolean isOfLaterSpan;

            @Override
            public synchronized long skip(long count) {
                isOfLaterSpan |= count > 0;
                return super.skip(count);
            }

            @Override
            public int read(byte[] target, int start, int length) {
                if (isOfLaterSpan && isWorker()) {
                    inside.countDown();
                    awaitInterrupt();
                }
                return super.read(target, start, length);
            }

            @Override
            public void close() {
                if (isWorker() && Thread.interrupted()) {
                    await(leave);
                }
            }
        };
        SpanInputStream in =
                SpanInputStream.open(file, new IndexedFile.MemorySideCar(index, this.file.length), OPTIONS, 4);
        assertThat(in.read()).isEqualTo(raw[0] & 0xff);
        await(inside);
        Thread closing = new Thread(() -> close(in));
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING) {
            assertThat(closing.getState()).isNotEqualTo(Thread.State.TERMINATED);
            Thread.onSpinWait();
        }
        leave.countDown();
        closing.join();
    }

    private static boolean isWorker() {
        return Thread.currentThread().getName().equals("warpcodec index");
    }

    private static void close(InputStream in) {
        try {
            in.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void awaitInterrupt() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
