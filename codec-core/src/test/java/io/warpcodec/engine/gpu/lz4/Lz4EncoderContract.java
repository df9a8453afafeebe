package io.warpcodec.engine.gpu.lz4;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.engine.gpu.block.BlockEncoderContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.jpountz.lz4.LZ4Factory;

/** Encoders of LZ4 blocks against lz4-java, the plain decoder and the end of a block. */
abstract class Lz4EncoderContract extends BlockEncoderContract {

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

    /** The end of a block. */
    @Override
    protected void requireWellFormed(String what, NamedWay way, byte[] block, byte[] raw) {
        List<Match> matches = matches(block);
        if (!matches.isEmpty()) {
            Match last = matches.get(matches.size() - 1);
            assertThat(last.start).as(what).isLessThanOrEqualTo(raw.length - 12);
            assertThat(last.end).as(what).isLessThanOrEqualTo(raw.length - 5);
        }
    }

    private record Match(int start, int end) {}

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
            at += 2; // the offset
            int match = (token & 15) + 4;
            if (match == 19) {
                int more;
                do {
                    more = block[at++] & 0xFF;
                    match += more;
                } while (more == 255);
            }
            matches.add(new Match(place, place + match));
            place += match;
        }
    }
}
