package io.warpcodec.stream.bzip2;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.stream.VectorFolder;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class Bzip2VectorTest {
    @TestFactory
    Stream<DynamicTest> vectorsAreReadAsExpected() throws IOException {
        return new VectorFolder("bzip2", Format.BZIP2, CodecOptions.DEFAULTS).tests();
    }
}
