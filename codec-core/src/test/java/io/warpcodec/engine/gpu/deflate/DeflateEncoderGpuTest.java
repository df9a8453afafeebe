package io.warpcodec.engine.gpu.deflate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.GpuStreams;
import io.warpcodec.engine.gpu.block.BlockEncoderContract;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.DeviceBlocks;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import io.warpcodec.engine.gpu.block.LaunchMemory;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

/**
 * {@link DeflateGpuEncoder} against the JDK's zlib and, where blocks are small, a plain decoder that asks for
 * complete codes.
 */
@GpuTest
class DeflateEncoderGpuTest extends BlockEncoderContract {
    /** The plain decoder takes every bit by itself. */
    private static final int MOST_PLAIN_BYTES = 2000;

    private static final int MOST_WINDOW_BYTES = 32 << 10;

    private static final int FLUSHED_BYTES = Integer.getInteger("warpcodec.test.flushed.bytes", 4_000_000);

    private DeflateGpuEncoder encoder;

    @Override
    protected void openCodec() throws Exception {
        encoder = DeflateGpuEncoder.open(device);
    }

    @Override
    protected void closeCodec() {
        encoder.close();
    }

    @Override
    protected List<NamedWay> ways() {
        return Stream.of(EncodeLevel.values())
                .map(level -> new NamedWay(level.name().toLowerCase(Locale.ROOT), way(level)))
                .toList();
    }

    @Override
    protected Optional<BlockTrial.Way> decodingWay() {
        return Optional.empty();
    }

    @Override
    protected Optional<byte[]> decodePlainly(byte[] block, int rawBytes) {
        return rawBytes > MOST_PLAIN_BYTES
                ? Optional.of(decodeForeign(block, rawBytes))
                : DeflateReferenceDecoder.decode(block);
    }

    @Override
    protected byte[] decodeForeign(byte[] block, int rawBytes) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(block);
            byte[] raw = new byte[rawBytes + 1];
            int length = inflater.inflate(raw);
            assertThat(inflater.finished()).isTrue();
            assertThat(inflater.getRemaining()).isZero();
            return Arrays.copyOf(raw, length);
        } catch (DataFormatException defect) {
            throw new AssertionError(defect);
        } finally {
            inflater.end();
        }
    }

    @Override
    protected byte[] encodeForeign(byte[] raw) {
        return deflate(raw, Deflater.BEST_SPEED);
    }

    private static byte[] deflate(byte[] raw, int level) {
        Deflater deflater = new Deflater(level, true);
        try {
            deflater.setInput(raw);
            deflater.finish();
            byte[] encoded = new byte[raw.length + raw.length / 1000 + 64];
            return Arrays.copyOf(encoded, deflater.deflate(encoded));
        } finally {
            deflater.end();
        }
    }

    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw) {
        assertThat(block.length).as(what).isLessThanOrEqualTo(DeflateGpuEncoder.maxEncodedBytes(raw.length));
    }

    @Test
    void matchesReachFromOneDeflateBlockIntoTheOneBefore() throws Exception {
        byte[] noise = new byte[20_000];
        new Random(13).nextBytes(noise);
        byte[] raw = new byte[5 * 65_536];
        for (int at = 0; at < raw.length; at += noise.length) {
            System.arraycopy(noise, 0, raw, at, Math.min(noise.length, raw.length - at));
        }
        for (NamedWay way : ways()) {
            EncodeTrial batch = new EncodeTrial(new Random(14));
            batch.add(raw);
            byte[] encoded =
                    batch.encode(way.name(), device, stream, way.way()).get(0).orElseThrow();
            assertThat(encoded.length).as(way.name()).isLessThan(2 * noise.length);
            assertThat(decodeForeign(encoded, raw.length)).isEqualTo(raw);
        }
    }

    /**
     * One text cut into ranges at odd places, each encoded with a window of what lies before it and flushed: laid
     * behind each other they are one stream. Places of the exact length suffice, shorter ones do not.
     */
    @Test
    void flushedRangesWithWindowsMakeOneStream() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] text = GpuStreams.mixture(FLUSHED_BYTES, seed);
        List<byte[]> raws = new ArrayList<>();
        List<Integer> windows = new ArrayList<>();
        for (int at = 0; at < text.length; ) {
            int length = Math.min(text.length - at, 1 + random.nextInt(1 << random.nextInt(1, 19)));
            int window = random.nextInt(3) == 0 ? random.nextInt(MOST_WINDOW_BYTES + 1) : MOST_WINDOW_BYTES;
            windows.add(Math.min(at, window));
            raws.add(Arrays.copyOfRange(text, at, at + length));
            at += length;
        }
        int[] windowBytes = windows.stream().mapToInt(Integer::intValue).toArray();
        for (EncodeLevel level : EncodeLevel.values()) {
            String what = level + ", seed " + seed;
            EncodeTrial.Way way = way(level, DeflateGpuEncoder.Ending.FLUSH, windowBytes);
            EncodeTrial ample = new EncodeTrial(new Random(15));
            raws.forEach(raw -> ample.addRightBehind(raw, DeflateGpuEncoder.maxEncodedBytes(raw.length)));
            List<Optional<byte[]>> pieces = ample.encode(what, device, stream, way);
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            EncodeTrial exact = new EncodeTrial(new Random(16));
            EncodeTrial tooShort = new EncodeTrial(new Random(17));
            for (int index = 0; index < raws.size(); index++) {
                byte[] piece = pieces.get(index).orElseThrow();
                assertThat(Arrays.copyOfRange(piece, piece.length - 4, piece.length))
                        .as(what)
                        .containsExactly(0, 0, 0xff, 0xff);
                whole.writeBytes(piece);
                exact.addRightBehind(raws.get(index), piece.length);
                tooShort.addRightBehind(raws.get(index), piece.length - 1);
            }
            whole.writeBytes(new byte[] {3, 0}); // a final block that holds nothing
            assertThat(Arrays.equals(decodeForeign(whole.toByteArray(), text.length), text))
                    .as(what)
                    .isTrue();
            List<Optional<byte[]>> again = exact.encode(what + ", exact", device, stream, way);
            for (int index = 0; index < raws.size(); index++) {
                assertThat(Arrays.equals(
                                again.get(index).orElseThrow(),
                                pieces.get(index).orElseThrow()))
                        .as("%s, piece %d", what, index)
                        .isTrue();
            }
            assertThat(tooShort.encode(what + ", too short", device, stream, way))
                    .containsOnly(Optional.empty());
        }
    }

    /**
     * Random letters of three alphabets, 2,400 bytes or more of each. A letter takes 5.6 bits with a code for all of
     * them, 4 with a code for each; where two meet within 4 KiB, they share one.
     */
    @Test
    void kindsOfDataThatMeetInABlockHaveCodesOfTheirOwn() throws Exception {
        Random random = new Random(19);
        byte[] raw = new byte[2 * 65_536 + 30_000];
        for (int at = 0, kind = 0; at < raw.length; kind++) {
            int limit = Math.min(raw.length, at + 2_400 + random.nextInt(40_000));
            for (; at < limit; at++) {
                raw[at] = (byte) (32 + 16 * (kind % 3) + random.nextInt(16));
            }
        }
        EncodeTrial batch = new EncodeTrial(new Random(20));
        batch.add(raw);
        byte[] encoded = batch.encode("kinds", device, stream, way(EncodeLevel.BEST))
                .get(0)
                .orElseThrow();
        assertThat(8.0 * encoded.length / raw.length).isBetween(4.0, 4.6);
        assertThat(decodeForeign(encoded, raw.length)).isEqualTo(raw);
    }

    @Test
    void windowsOutsideTheInputAreRefused() {
        byte[] raw = new byte[50_000];
        for (int[] windows : new int[][] {{1, 0}, {0, 32_769}, {0, -1}, {0}}) {
            EncodeTrial batch = new EncodeTrial(new Random(18));
            batch.addRightBehind(raw, 1000);
            batch.addRightBehind(raw, 1000);
            EncodeTrial.Way way = way(EncodeLevel.FAST, DeflateGpuEncoder.Ending.FLUSH, windows);
            assertThatThrownBy(() -> batch.encode("refused", device, stream, way))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("window");
        }
    }

    private EncodeTrial.Way way(EncodeLevel level) {
        return way(level, DeflateGpuEncoder.Ending.STREAM, null);
    }

    /** @param windowBytes null for none */
    private EncodeTrial.Way way(EncodeLevel level, DeflateGpuEncoder.Ending ending, int[] windowBytes) {
        return new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return scratchAt(blockCount) + DeflateGpuEncoder.scratchBytes(level, rawBytes, blockCount);
            }

            @Override
            public long stagingBytes(int blockCount) {
                return DeflateGpuEncoder.workspaceBytes(blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return encoder.results(blockCount, staging);
            }

            @Override
            public void enqueue(DeviceBlocks blocks, LaunchMemory memory) throws DeviceException {
                long scratchAt =
                        Math.min(scratchAt(blocks.count()), memory.workspace().bytes());
                int[] windows = windowBytes == null ? new int[blocks.count()] : windowBytes;
                encoder.enqueueEncode(
                        level,
                        ending,
                        new DeviceBlocks(blocks.input(), blocks.blocks(), blocks.output(), blocks.slots(), windows),
                        EncodeTrial.withScratch(memory, scratchAt));
            }
        };
    }

    private static long scratchAt(int blockCount) {
        return (DeflateGpuEncoder.workspaceBytes(blockCount) + 15) / 16 * 16;
    }
}
