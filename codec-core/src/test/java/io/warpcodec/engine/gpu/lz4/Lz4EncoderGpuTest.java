package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.engine.gpu.block.BlockEncoderContract;
import io.warpcodec.engine.gpu.block.BlockTrial;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.EncodeLevel;
import io.warpcodec.engine.gpu.block.EncodeTrial;
import io.warpcodec.engine.gpu.lz4.Lz4GpuEncoder.Nesting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;

/** {@link Lz4GpuEncoder} against lz4-java, the plain decoder and {@link Lz4GpuDecoder}. */
@GpuTest
class Lz4EncoderGpuTest extends BlockEncoderContract {
    private static final String FLAT = "flat";

    private Lz4GpuEncoder encoder;
    private Lz4GpuDecoder decoder;

    @Override
    protected void openCodec() throws Exception {
        encoder = Lz4GpuEncoder.open(device);
        decoder = Lz4GpuDecoder.open(device);
    }

    @Override
    protected void closeCodec() {
        encoder.close();
        decoder.close();
    }

    @Override
    protected List<NamedWay> ways() {
        return List.of(
                new NamedWay("fast, " + FLAT, way(EncodeLevel.FAST, Nesting.NONE)),
                new NamedWay("fast", way(EncodeLevel.FAST, Nesting.FREE)),
                new NamedWay("default", way(EncodeLevel.DEFAULT, Nesting.FREE)),
                new NamedWay("high", way(EncodeLevel.HIGH, Nesting.FREE)));
    }

    @Override
    protected Optional<BlockTrial.Way> decodingWay() {
        return Optional.of((input, blocks, output, places, workspace, staging, queue) -> decoder.enqueueDecode(
                Lz4GpuDecoder.Strategy.GATHER, input, blocks, output, places, workspace, staging, queue));
    }

    @Override
    protected Optional<byte[]> decodePlainly(byte[] block, int rawBytes) {
        return Lz4ReferenceDecoder.decode(block, rawBytes);
    }

    @Override
    protected byte[] decodeForeign(byte[] block, int rawBytes) {
        byte[] raw = new byte[rawBytes];
        int used = LZ4Factory.fastestInstance().fastDecompressor().decompress(block, 0, raw, 0, rawBytes);
        assertThat(used).isEqualTo(block.length);
        assertThat(LZ4Factory.fastestInstance().safeDecompressor().decompress(block, raw))
                .isEqualTo(rawBytes);
        return raw;
    }

    @Override
    protected byte[] encodeForeign(byte[] raw) {
        return LZ4Factory.fastestInstance().fastCompressor().compress(raw);
    }

    /** The end of a block, and in flat blocks every group of 32 sequences. */
    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw) {
        List<Match> matches = matches(block);
        if (!matches.isEmpty()) {
            Match last = matches.get(matches.size() - 1);
            assertThat(last.start).as(what).isLessThanOrEqualTo(raw.length - 12);
            assertThat(last.end).as(what).isLessThanOrEqualTo(raw.length - 5);
        }
        if (way.name().contains(FLAT)) {
            for (int index = 0; index < matches.size(); index++) {
                Match reader = matches.get(index);
                int source = reader.start - reader.offset;
                int sourceEnd = source + Math.min(reader.end - reader.start, reader.offset);
                for (Match other : matches.subList(index / 32 * 32, index)) {
                    if (other.start < sourceEnd && other.end > source) {
                        throw new AssertionError(what + ": match " + index + " reads a match of its group");
                    }
                }
            }
        }
    }

    @Test
    void flatBlocksAreForTheFastLevelOnly() throws Exception {
        EncodeTrial batch = new EncodeTrial(new Random(12));
        batch.add(new byte[100]);
        assertThatThrownBy(() -> batch.encode("high", device, stream, way(EncodeLevel.HIGH, Nesting.NONE)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private record Match(int start, int end, int offset) {}

    private static List<Match> matches(byte[] block) {
        List<Match> matches = new ArrayList<>();
        int at = 0;
        int place = 0;
        while (true) {
            int token = block[at++] & 0xFF;
            int literals = token >> 4;
            if (literals == 15) {
                int more;
                do {
                    more = block[at++] & 0xFF;
                    literals += more;
                } while (more == 255);
            }
            at += literals;
            place += literals;
            if (at == block.length) {
                return matches;
            }
            int offset = block[at] & 0xFF | (block[at + 1] & 0xFF) << 8;
            at += 2;
            int match = (token & 15) + 4;
            if (match == 19) {
                int more;
                do {
                    more = block[at++] & 0xFF;
                    match += more;
                } while (more == 255);
            }
            matches.add(new Match(place, place + match, offset));
            place += match;
        }
    }

    private EncodeTrial.Way way(EncodeLevel level, Nesting nesting) {
        return new EncodeTrial.Way() {
            @Override
            public long workspaceBytes(int blockCount, long rawBytes) {
                return encoder.workspaceBytes(level, blockCount);
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
                encoder.enqueueEncode(level, nesting, input, blocks, output, places, workspace, staging, queue);
            }
        };
    }
}
