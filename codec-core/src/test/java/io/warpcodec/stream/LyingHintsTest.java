package io.warpcodec.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.SizedOptions;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.DecodedChunk;
import io.warpcodec.engine.ForwardingEngine;
import io.warpcodec.engine.choice.AcceleratorStart;
import io.warpcodec.engine.choice.EngineSelector;
import io.warpcodec.engine.choice.StartEvidence;
import io.warpcodec.engine.choice.StartTurns;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.format.Scanner;
import io.warpcodec.format.ScannerState;
import io.warpcodec.format.SyncPoints;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.stream.LyingFile.Container;
import io.warpcodec.stream.LyingFile.Lie;
import io.warpcodec.stream.unit.ChunkReader;
import io.warpcodec.stream.unit.SourceWindow;
import io.warpcodec.stream.unit.SourceWindows;
import io.warpcodec.stream.unit.UnitReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What false hints cost, counted in raw bytes that are decoded: each at most twice, and beyond that what an engine
 * that works ahead had in work when the first lie was found. Every lie in every place where it can be told.
 */
class LyingHintsTest {
    private static final int UNITS = 120;
    private static final int UNIT_RAW_BYTES = 1500;
    private static final int READ_AHEAD_BYTES = 16 << 10;
    private static final int BATCHES_IN_FLIGHT = 3;
    private static final int MOST_LIES = 8;
    private static final long MOST_IN_FLIGHT_BYTES = BATCHES_IN_FLIGHT * (READ_AHEAD_BYTES + 2L * UNIT_RAW_BYTES);

    private static Map<String, IntPredicate> patterns() {
        Map<String, IntPredicate> patterns = new LinkedHashMap<>();
        patterns.put("every unit", index -> true);
        patterns.put("every second", index -> index % 2 == 1);
        patterns.put("every seventh", index -> index % 7 == 3);
        patterns.put("the second half", index -> index >= UNITS / 2);
        patterns.put("the first twenty", index -> index < 20);
        patterns.put("the last", index -> index == UNITS - 1);
        return patterns;
    }

    @ParameterizedTest
    @EnumSource
    void anEngineThatWorksWhenAskedDecodesNoByteMoreThanTwice(Container container) throws IOException {
        for (Lie lie : Lie.values()) {
            for (Map.Entry<String, IntPredicate> pattern : patterns().entrySet()) {
                if (container.tells(lie)) {
                    LyingFile file = container.file(UNITS, UNIT_RAW_BYTES, lie, pattern.getValue());
                    assertThat(decodedBytes(file, false))
                            .as("%s of %s: bytes decoded", lie, pattern.getKey())
                            .isLessThanOrEqualTo(2L * file.raw().length);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEngineThatWorksAheadThrowsAwayOneFlightBeyondThat(Container container) throws IOException {
        for (Lie lie : Lie.values()) {
            for (Map.Entry<String, IntPredicate> pattern : patterns().entrySet()) {
                if (container.tells(lie)) {
                    LyingFile file = container.file(UNITS, UNIT_RAW_BYTES, lie, pattern.getValue());
                    assertThat(decodedBytes(file, true))
                            .as("%s of %s: bytes decoded", lie, pattern.getKey())
                            .isLessThanOrEqualTo(2L * file.raw().length + MOST_IN_FLIGHT_BYTES);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void afterEightLiesNoHintIsTried(Container container) throws IOException {
        LyingFile file = container.file(UNITS, UNIT_RAW_BYTES, Lie.TWO_UNITS, index -> true);
        CountingEngine engine = new CountingEngine(file, false);
        read(file, engine);
        boolean hasOtherWays = container == Container.ZSTD || container == Container.HADOOP_SNAPPY;
        assertThat(engine.failed).isEqualTo(hasOtherWays ? 0 : MOST_LIES);
    }

    @ParameterizedTest
    @EnumSource(names = {"GZIP", "BGZF", "LZ4", "ZSTD"})
    void splitsDeliverEveryUnitOnceWhateverTheHintsSay(Container container) throws IOException {
        for (Lie lie : Lie.values()) {
            if (!container.tells(lie)) {
                continue;
            }
            LyingFile file = container.file(UNITS, UNIT_RAW_BYTES, lie, index -> index % 9 == 4 && index < 100);
            long step = file.bytes().length / 13 + 1L;
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (long start = 0; start < file.bytes().length; start += step) {
                all.writeBytes(split(file, start, start + step));
            }
            assertThat(all.size()).as("%s: bytes of all splits", lie).isEqualTo(file.raw().length);
            assertThat(Arrays.mismatch(all.toByteArray(), file.raw()))
                    .as("%s", lie)
                    .isEqualTo(-1);
        }
    }

    /**
     * What a task reads of a split: from its first sync point on, until the position says that the next split's has
     * come.
     */
    private static byte[] split(LyingFile file, long start, long end) throws IOException {
        EngineSelector engines = selector(new CountingEngine(file, false));
        SourceWindow window = window(file, start, engines);
        SyncPoints syncPoints = Containers.of(file.format()).syncPoints();
        Scanner scanner = Containers.of(file.format()).scanner(file.options());
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        if (start > 0) {
            ScannerState state = syncPoints.seek(window, end);
            if (state == null) {
                return new byte[0];
            }
            scanner.restore(state);
        }
        ChunkReader reader = new ChunkReader(file.format(), options(file), engines, window, scanner, syncPoints, end);
        long position = start;
        while (true) {
            UnitReader.Event event = reader.advance();
            if (event == UnitReader.Event.END) {
                return got.toByteArray();
            }
            if (event == UnitReader.Event.BYTES) {
                position = reader.unitMovesPosition() ? reader.unitOffset() : position;
                if (position >= end) {
                    reader.close();
                    return got.toByteArray();
                }
                byte[] bytes = new byte[reader.bytes().remaining()];
                reader.bytes().get(bytes);
                got.writeBytes(bytes);
            }
        }
    }

    private static long decodedBytes(LyingFile file, boolean ahead) throws IOException {
        CountingEngine engine = new CountingEngine(file, ahead);
        assertThat(Arrays.mismatch(read(file, engine), file.raw())).isEqualTo(-1);
        return engine.decodedBytes;
    }

    private static CodecOptions options(LyingFile file) {
        return SizedOptions.withReadAheadBytes(file.options(), READ_AHEAD_BYTES);
    }

    private static EngineSelector selector(CountingEngine engine) {
        return new EngineSelector(
                engine,
                new AcceleratorStart(
                        () -> new AcceleratorStart.Found(null, FallbackReason.NO_DRIVER),
                        StartTurns::alone,
                        StartEvidence.ofThisProcess()));
    }

    private static SourceWindow window(LyingFile file, long start, EngineSelector engines) {
        ByteArrayInputStream source = new ByteArrayInputStream(file.bytes());
        source.skip(start);
        return SourceWindows.reading(source, start, engines, options(file));
    }

    private static byte[] read(LyingFile file, CountingEngine engine) throws IOException {
        EngineSelector engines = selector(engine);
        ChunkReader reader = new ChunkReader(
                file.format(),
                options(file),
                engines,
                window(file, 0, engines),
                Containers.of(file.format()).scanner(file.options()),
                null,
                Long.MAX_VALUE);
        ByteArrayOutputStream got = new ByteArrayOutputStream();
        while (true) {
            switch (reader.advance()) {
                case BYTES -> {
                    byte[] bytes = new byte[reader.bytes().remaining()];
                    reader.bytes().get(bytes);
                    got.writeBytes(bytes);
                }
                case UNIT_END -> {
                    // the next unit follows
                }
                case END, NEEDS_INPUT -> {
                    reader.close();
                    return got.toByteArray();
                }
            }
        }
    }

    /**
     * Counts the raw bytes that are decoded. A chunk that fails counts with all of the unit that it begins with: its
     * decoder gives up behind that at the latest (SessionChunkDecoderTest). An engine that works ahead decodes a
     * batch when it is submitted, as the busiest of devices would.
     */
    private static final class CountingEngine extends ForwardingEngine {
        private final CpuEngine cpu = new CpuEngine();
        private final LyingFile file;
        private final boolean ahead;
        private long decodedBytes;
        private int failed;

        CountingEngine(LyingFile file, boolean ahead) {
            this.file = file;
            this.ahead = ahead;
        }

        @Override
        public boolean isAsynchronous() {
            return ahead;
        }

        @Override
        public int batchesInFlight(Format format) {
            return BATCHES_IN_FLIGHT;
        }

        private DecodedChunk count(Chunk chunk, DecodedChunk result) {
            boolean done = result.status() == DecodedChunk.Status.DONE;
            decodedBytes += done ? result.rawBytes() : file.rawBytesAt().getOrDefault(chunk.offset(), 0);
            failed += done ? 0 : 1;
            return result;
        }

        @Override
        public Batch<DecodedChunk> decode(Format format, CodecOptions options, List<Chunk> chunks) {
            Batch<DecodedChunk> batch = cpu.decode(format, options, chunks);
            DecodedChunk[] results = new DecodedChunk[chunks.size()];
            for (int i = 0; ahead && i < results.length; i++) {
                try {
                    results[i] = count(chunks.get(i), batch.take(i));
                } catch (IOException impossible) {
                    throw new AssertionError(impossible);
                }
            }
            return new Batch<>() {
                @Override
                public int size() {
                    return results.length;
                }

                @Override
                public DecodedChunk take(int index) throws IOException {
                    DecodedChunk known = results[index];
                    results[index] = null;
                    return known != null ? known : count(chunks.get(index), batch.take(index));
                }

                @Override
                public void close() {
                    for (DecodedChunk result : results) {
                        if (result != null) {
                            result.release();
                        }
                    }
                    batch.close();
                }
            };
        }

        @Override
        public DecodeSession openSession(Format format, CodecOptions options, long offset) {
            DecodeSession session = cpu.openSession(format, options, offset);
            return new DecodeSession() {
                @Override
                public State decode(ByteBuffer input, ByteBuffer output) throws IOException {
                    int before = output.position();
                    try {
                        return session.decode(input, output);
                    } finally {
                        decodedBytes += output.position() - before;
                    }
                }

                @Override
                public ByteBuffer preferredOutput() {
                    return session.preferredOutput();
                }

                @Override
                public void reset(long start) {
                    session.reset(start);
                }

                @Override
                public String missing() {
                    return session.missing();
                }

                @Override
                public void close() {
                    session.close();
                }
            };
        }
    }
}
