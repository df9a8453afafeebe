package io.warpcodec.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.DeviceBuffer;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.GpuTest;
import io.warpcodec.device.PinnedBuffer;
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

/** {@link DeflateGpuEncoder} against the JDK's zlib and, where blocks are small, a plain decoder that asks for complete codes. */
@GpuTest
class DeflateEncoderGpuTest extends BlockEncoderContract {
    /** The plain decoder takes every bit by itself. */
    private static final int MOST_PLAIN_BYTES = 2000;

    private DeflateGpuEncoder encoder;

    @Override
    void openCodec() throws Exception {
        encoder = DeflateGpuEncoder.open(device);
    }

    @Override
    void closeCodec() {
        encoder.close();
    }

    @Override
    List<NamedWay> ways() {
        return Stream.of(EncodeLevel.values())
                .map(level -> new NamedWay(level.name().toLowerCase(Locale.ROOT), way(level)))
                .toList();
    }

    @Override
    Optional<BlockTrial.Way> decodingWay() {
        return Optional.empty();
    }

    @Override
    Optional<byte[]> decodePlainly(byte[] block, int rawBytes) {
        return rawBytes > MOST_PLAIN_BYTES
                ? Optional.of(decodeForeign(block, rawBytes))
                : DeflateReferenceDecoder.decode(block);
    }

    @Override
    byte[] decodeForeign(byte[] block, int rawBytes) {
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
    byte[] encodeForeign(byte[] raw) {
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
    void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw) {
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

    private EncodeTrial.Way way(EncodeLevel level) {
        return new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return scratchAt(blockCount) + DeflateGpuEncoder.scratchBytes(rawBytes, blockCount);
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
            public void enqueue(
                    DeviceBuffer input,
                    ChunkRanges blocks,
                    DeviceBuffer output,
                    ChunkRanges places,
                    DeviceBuffer workspace,
                    PinnedBuffer staging,
                    DeviceStream queue)
                    throws DeviceException {
                long scratchAt = Math.min(scratchAt(blocks.count()), workspace.bytes());
                DeviceBuffer scratch = workspace.slice(scratchAt, workspace.bytes() - scratchAt);
                encoder.enqueueEncode(level, input, blocks, output, places, workspace, staging, scratch, queue);
            }
        };
    }

    private static long scratchAt(int blockCount) {
        return (DeflateGpuEncoder.workspaceBytes(blockCount) + 15) / 16 * 16;
    }
}
