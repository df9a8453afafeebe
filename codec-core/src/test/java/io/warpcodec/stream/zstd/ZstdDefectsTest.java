package io.warpcodec.stream.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.warpcodec.CodecOptions;
import io.warpcodec.CorruptDataException;
import io.warpcodec.Format;
import io.warpcodec.forge.ZstdDefects;
import io.warpcodec.stream.StreamRig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Each defect of a compressed block by its name: refused as a chunk and in pieces. */
class ZstdDefectsTest {
    private static final StreamRig RIG = new StreamRig(Format.ZSTD, CodecOptions.DEFAULTS);

    private static Map<String, byte[]> readable() {
        Map<String, byte[]> frames = new LinkedHashMap<>(ZstdDefects.sound());
        frames.putAll(ZstdDefects.tolerated());
        return frames;
    }

    private static byte[] libzstd(byte[] frame) {
        return Zstd.decompress(frame, (int) Zstd.getFrameContentSize(frame));
    }

    @TestFactory
    Stream<DynamicTest> soundAndToleratedFramesAreRead() {
        return readable().entrySet().stream()
                .map(each -> DynamicTest.dynamicTest(each.getKey(), () -> {
                    byte[] raw = libzstd(each.getValue());
                    assertThat(RIG.read(each.getValue())).isEqualTo(raw);
                    assertThat(RIG.read(each.getValue(), 1, 3)).isEqualTo(raw);
                }));
    }

    @TestFactory
    Stream<DynamicTest> defectsAreRefused() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Map.Entry<String, byte[]> each : ZstdDefects.all().entrySet()) {
            byte[] frame = each.getValue();
            tests.add(DynamicTest.dynamicTest(each.getKey(), () -> {
                assertThatThrownBy(() -> libzstd(frame)).isInstanceOf(ZstdException.class);
                assertThatThrownBy(() -> RIG.read(frame))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("offset 0");
                assertThatThrownBy(() -> RIG.read(frame, 1, 3)).isInstanceOf(CorruptDataException.class);
            }));
        }
        return tests.stream();
    }
}
