package io.warpcodec.engine.gpu.zstd;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.zstd.ZstdDecompressor;
import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockData;
import io.warpcodec.engine.gpu.block.BlockEncoderContract;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import io.warpcodec.format.BufferWindow;
import io.warpcodec.format.zstd.ZstdFormat;
import io.warpcodec.format.zstd.ZstdFrameHeader;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jpountz.xxhash.XXHashFactory;
import org.junit.jupiter.api.Test;

/**
 * {@link ZstdGpuEncoder} at its levels against libzstd, aircompressor, the CPU engine and, where ranges are small, a
 * plain decoder.
 */
abstract class ZstdEncoderContract extends BlockEncoderContract {
    /** The plain decoder takes every bit by itself. */
    private static final int MOST_PLAIN_BYTES = 2000;

    /** A frame may be that much longer than libzstd's of the level whose place ours takes. */
    private static final double MOST_TO_LIBZSTD = 1.15;

    private final ZstdDecompressor airlift = new ZstdDecompressor();
    private final Map<EncodeLevel, ZstdGpuEncoder> encoders = new EnumMap<>(EncodeLevel.class);

    /** Levels that are tried. */
    abstract List<EncodeLevel> levels();

    @Override
    protected void openCodec() throws Exception {
        for (EncodeLevel level : levels()) {
            encoders.put(level, ZstdGpuEncoder.open(device, level));
        }
    }

    @Override
    protected void closeCodec() {
        encoders.values().forEach(ZstdGpuEncoder::close);
        encoders.clear();
    }

    @Override
    protected List<NamedWay> ways() {
        return levels().stream().map(this::way).toList();
    }

    private NamedWay way(EncodeLevel level) {
        return new NamedWay(level.name().toLowerCase(Locale.ROOT), way(encoders.get(level)));
    }

    static int levelOfLibzstd(EncodeLevel level) {
        return switch (level) {
            case FAST -> 1;
            case DEFAULT -> 3;
            case HIGH -> 19;
            case BEST -> throw new IllegalArgumentException("level " + level);
        };
    }

    @Override
    protected Optional<BlockTrial.Way> decodingWay() {
        return Optional.empty();
    }

    @Override
    protected int mostBlockBytes() {
        return ZstdEncodeKernels.MAX_INPUT_BYTES;
    }

    private static ZstdFrameHeader header(byte[] frame) {
        return ZstdFrameHeader.at(new BufferWindow(ByteBuffer.wrap(frame), 0), 0);
    }

    /** A frame as files have it. */
    static byte[] signed(byte[] frame, byte[] raw) {
        byte[] whole = Arrays.copyOf(frame, frame.length + ZstdFormat.CHECKSUM_BYTES);
        long hash = XXHashFactory.fastestInstance().hash64().hash(raw, 0, raw.length, 0);
        ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN).putInt(frame.length, (int) hash);
        return whole;
    }

    @Override
    protected Optional<byte[]> decodePlainly(byte[] frame, int rawBytes) {
        if (rawBytes > MOST_PLAIN_BYTES) {
            return Optional.of(decodeForeign(frame, rawBytes));
        }
        try {
            byte[] whole = Arrays.copyOf(frame, frame.length + ZstdFormat.CHECKSUM_BYTES);
            ZstdReferenceFrame walk = new ZstdReferenceFrame(whole, 0);
            while (!walk.ended()) {
                walk.block();
            }
            return walk.at() == whole.length ? Optional.of(walk.content()) : Optional.empty();
        } catch (ZstdDefect defect) {
            return Optional.empty();
        }
    }

    /** Three decoders agree, those that check it about the checksum too. */
    @Override
    protected byte[] decodeForeign(byte[] frame, int rawBytes) {
        byte[] raw = Zstd.decompress(ZstdFrames.withoutChecksum(signed(frame, new byte[0])), rawBytes);
        byte[] whole = signed(frame, raw);
        assertThat(Arrays.equals(Zstd.decompress(whole, rawBytes), raw)).isTrue();
        byte[] again = new byte[rawBytes];
        assertThat(airlift.decompress(whole, 0, whole.length, again, 0, rawBytes))
                .isEqualTo(raw.length);
        assertThat(Arrays.equals(again, raw)).as("aircompressor").isTrue();
        assertThat(Arrays.equals(decodedByTheCpu(whole), raw)).as("CPU engine").isTrue();
        return raw;
    }

    private static byte[] decodedByTheCpu(byte[] whole) {
        CodecOptions onCpu = CodecOptions.DEFAULTS.withMode(Mode.CPU);
        try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(whole), Format.ZSTD, onCpu)) {
            return in.readAllBytes();
        } catch (IOException refused) {
            throw new AssertionError(refused);
        }
    }

    /** Level -5 codes no literals, so that every level of ours is shorter. */
    @Override
    protected byte[] encodeForeign(byte[] raw) {
        return Zstd.compress(raw, -5);
    }

    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] frame, byte[] raw) {
        ZstdFrameHeader header = header(frame);
        assertThat(header.singleSegment()).as(what).isTrue();
        assertThat(header.checksum()).as(what).isTrue();
        assertThat(header.dictionary()).as(what).isZero();
        assertThat(header.hasContentSize()).as(what).isTrue();
        assertThat(header.contentBytes()).as(what).isEqualTo(raw.length);
        int sizeBytes = raw.length < 256 ? 1 : raw.length < 65_792 ? 2 : 4;
        assertThat(header.bytes()).as(what).isEqualTo(ZstdFormat.LEAST_HEADER_BYTES + sizeBytes);
        assertThat(frame.length).as(what).isLessThanOrEqualTo(ZstdGpuEncoder.maxEncodedBytes(raw.length));
        if (raw.length > 0 && raw.length <= CodecOptions.MAX_CHUNK_BYTES) {
            assertThat(ZstdPlans.frame(ZstdBlocksTest.chunk(signed(frame, raw)), Integer.MAX_VALUE)
                            .refusal())
                    .as(what)
                    .isNull();
        }
    }

    static EncodeTrial.Way way(ZstdGpuEncoder encoder) {
        return new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int rangeCount, long rawBytes) {
                return scratchAt(rangeCount) + encoder.scratchBytes(Math.toIntExact(rawBytes), rangeCount);
            }

            private long scratchAt(int rangeCount) {
                return (encoder.workspaceBytes(rangeCount) + 255) / 256 * 256;
            }

            @Override
            public long stagingBytes(int rangeCount) {
                return encoder.workspaceBytes(rangeCount);
            }

            @Override
            public BlockResult[] results(int rangeCount, PinnedBuffer staging) {
                return encoder.results(rangeCount, staging);
            }

            @Override
            public void enqueue(DeviceBlocks ranges, LaunchMemory memory) throws DeviceException {
                long scratchAt =
                        Math.min(scratchAt(ranges.count()), memory.workspace().bytes());
                encoder.enqueue(ranges, EncodeTrial.withScratch(memory, scratchAt));
            }
        };
    }

    /** Bytes below a limit, of which each is half as frequent as the byte that is so many steps less. */
    private static byte[] skewed(Random random, int symbols, double steps, int bytes) {
        byte[] raw = new byte[bytes];
        for (int at = 0; at < bytes; at++) {
            double drawn = -Math.log(1 - random.nextDouble()) / Math.log(2) * steps;
            raw[at] = (byte) Math.min(symbols - 1, (int) drawn);
        }
        return raw;
    }

    private static byte[] eachOnce(Random random) {
        byte[] raw = new byte[256];
        for (int at = 0; at < raw.length; at++) {
            int other = random.nextInt(at + 1);
            raw[at] = raw[other];
            raw[other] = (byte) at;
        }
        return raw;
    }

    @Test
    void lengthsAtWhichTheHeaderOrTheNumberOfBlocksChanges() throws Exception {
        Random random = new Random(TestSeed.value());
        EncodeTrial batch = new EncodeTrial(random);
        for (int bytes : new int[] {
            0,
            1,
            2,
            3,
            255,
            256,
            257,
            65_535,
            65_536,
            65_537,
            65_791,
            65_792,
            65_793,
            131_071,
            131_072,
            131_073,
            262_143,
            262_144,
            262_145,
            1 << 20,
            (1 << 20) + 1
        }) {
            for (int kind = 0; kind < BlockData.KINDS; kind++) {
                batch.add(BlockData.make(random, kind, bytes));
            }
            batch.add(new byte[bytes]);
            batch.add(GpuStreams.mixture(bytes, random.nextLong()));
        }
        checkAllWays(batch, "lengths, seed " + TestSeed.value());
    }

    /** Few and many symbols: literals that are one byte, or have a tree whose weights are, or are not, coded. */
    @Test
    void alphabetsOfEverySize() throws Exception {
        Random random = new Random(TestSeed.value());
        EncodeTrial batch = new EncodeTrial(random);
        batch.add(eachOnce(random));
        for (int symbols : new int[] {1, 2, 3, 4, 7, 16, 64, 127, 128, 129, 130, 180, 255, 256}) {
            for (double step : new double[] {0.3, 1, 4, 20, 60}) {
                for (int bytes : new int[] {40, 300, 1024, 5000, 65_536, 100_000}) {
                    batch.add(skewed(random, symbols, step, bytes));
                }
            }
        }
        checkAllWays(batch, "alphabets, seed " + TestSeed.value());
    }

    @Test
    void framesAreAboutAsShortAsThoseOfTheLevelsTheyStandFor() throws Exception {
        List<byte[]> raws =
                List.of(GpuStreams.text(256 << 10, 21), GpuStreams.text(1 << 20, 22), GpuStreams.mixture(1 << 20, 23));
        for (EncodeLevel level : levels()) {
            NamedWay way = way(level);
            EncodeTrial batch = new EncodeTrial(new Random(24));
            raws.forEach(batch::add);
            List<Optional<byte[]>> frames = batch.encode(way.name(), device, stream, way.way());
            for (int sample = 0; sample < raws.size(); sample++) {
                int libzstds = Zstd.compress(raws.get(sample), levelOfLibzstd(level)).length;
                assertThat((double) frames.get(sample).orElseThrow().length)
                        .as("%s, sample %d", way.name(), sample)
                        .isLessThan(MOST_TO_LIBZSTD * libzstds);
            }
        }
    }
}
