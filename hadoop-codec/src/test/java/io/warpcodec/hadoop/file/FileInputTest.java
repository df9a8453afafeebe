package io.warpcodec.hadoop.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.Engines;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.metrics.Metrics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of file systems whose streams do not say what is at hand. */
class FileInputTest {
    /** A file in memory; {@code available} is InputStream's own. */
    private static final class Silent extends FSInputStream {
        private final byte[] bytes;
        private int at;

        Silent(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return at < bytes.length ? bytes[at++] & 0xff : -1;
        }

        @Override
        public int read(byte[] target, int start, int length) {
            int count = Math.min(length, bytes.length - at);
            System.arraycopy(bytes, at, target, start, count);
            at += count;
            return count == 0 && length > 0 ? -1 : count;
        }

        @Override
        public void seek(long offset) {
            at = (int) offset;
        }

        @Override
        public long getPos() {
            return at;
        }

        @Override
        public boolean seekToNewSource(long offset) {
            return false;
        }
    }

    @Test
    void itHasSomethingAtHandUntilItEnds() throws IOException {
        FSDataInputStream silent = new FSDataInputStream(new FSDataInputStream(new Silent(new byte[3])));
        assertThat(silent.available()).isZero();
        try (InputStream file = FileInput.of(silent)) {
            for (int i = 0; i < 3; i++) {
                assertThat(file.available()).isPositive();
                assertThat(file.read()).isZero();
            }
            assertThat(file.available()).isPositive();
            assertThat(file.read()).isNegative();
            assertThat(file.available()).isZero();
            ((FileInput) file).seek(2);
            assertThat(file.available()).isPositive();
            assertThat(file.read(new byte[5])).isOne();
            assertThat(file.read(new byte[5])).isNegative();
            assertThat(file.available()).isZero();
        }
    }

    @Test
    void whatSpeaksForItselfIsLeftAlone(@TempDir Path folder) throws IOException {
        InputStream bytes = new ByteArrayInputStream(new byte[9]);
        assertThat(FileInput.of(bytes)).isSameAs(bytes);
        Path path = Files.write(folder.resolve("file"), new byte[9]);
        for (FileSystem local : new FileSystem[] {
            FileSystem.getLocal(new Configuration()),
            FileSystem.getLocal(new Configuration()).getRaw()
        }) {
            try (InputStream file = local.open(new org.apache.hadoop.fs.Path(path.toUri()))) {
                assertThat(FileInput.of(file)).isSameAs(file);
                assertThat(file.available()).isEqualTo(9);
            }
        }
    }

    /** As a file that says what is at hand. */
    @Test
    void anOrdinaryGzipFileReachesTheDevices() throws IOException {
        byte[] raw = Payloads.text(3_000_000, 5);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(file)) {
            gzip.write(raw);
        }
        try (ScriptedGpu gpu = new ScriptedGpu(new CpuEngine(), 1, ScriptedGpu.smallLimits()).started()) {
            Engines.installAccelerator(gpu.engine());
            Configuration conf = CodecUnderTest.GZIP.conf();
            conf.set(CodecUnderTest.PREFIX + "mode", "gpu");
            long before = Metrics.counter("decode.gzip.gpu.bytesOut").sum();
            try (InputStream in = CodecUnderTest.GZIP
                    .codec(conf)
                    .createInputStream(new FSDataInputStream(new Silent(file.toByteArray())))) {
                assertThat(in.readAllBytes()).isEqualTo(raw);
            }
            assertThat(Metrics.counter("decode.gzip.gpu.bytesOut").sum() - before)
                    .isGreaterThan(raw.length / 2);
        }
    }
}
