package io.warpcodec.engine.gpu.bzip2;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** Files by commons-compress, whose blocks are as full as bzip2's. */
final class Bzip2ByCommons {
    private Bzip2ByCommons() {}

    static byte[] file(byte[] raw, int level) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (BZip2CompressorOutputStream out = new BZip2CompressorOutputStream(file, level)) {
            out.write(raw);
        }
        return file.toByteArray();
    }
}
