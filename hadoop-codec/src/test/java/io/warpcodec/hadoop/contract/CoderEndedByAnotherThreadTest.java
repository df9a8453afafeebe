package io.warpcodec.hadoop.contract;

import static io.warpcodec.stream.OtherThread.await;
import static io.warpcodec.stream.OtherThread.supply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.forge.Bytes;
import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.Payloads;
import io.warpcodec.stream.HeldEngine;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Coders that one thread uses while another one ends them, or takes them for itself, as pools of coders may do. */
class CoderEndedByAnotherThreadTest {
    private static final byte[] TEXT = Payloads.text(60_000, 1);
    private static final byte[] OTHER = Payloads.text(50_000, 2);

    private static CompressionCodec codec(CodecUnderTest format) {
        var conf = format.conf();
        conf.setInt(CodecUnderTest.PREFIX + "chunk.size", 16 << 10);
        return format.codec(conf);
    }

    private static byte[] file(CompressionCodec codec, byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = codec.createOutputStream(file)) {
            out.write(raw);
        }
        return file.toByteArray();
    }

    private static byte[] decompress(Decompressor decompressor, byte[] file) throws IOException {
        Bytes raw = new Bytes();
        byte[] target = new byte[10_000];
        decompressor.setInput(file, 0, file.length);
        int used = 0;
        while (used < file.length) {
            int count = decompressor.decompress(target, 0, target.length);
            raw.put(Arrays.copyOf(target, count));
            if (decompressor.finished()) {
                used = file.length - decompressor.getRemaining();
                decompressor.reset();
                decompressor.setInput(file, used, file.length - used);
            }
        }
        return raw.toArray();
    }

    private static byte[] compress(Compressor compressor, byte[] raw) throws IOException {
        Bytes file = new Bytes();
        byte[] target = new byte[10_000];
        compressor.setInput(raw, 0, raw.length);
        compressor.finish();
        while (!compressor.finished()) {
            file.put(Arrays.copyOf(target, compressor.compress(target, 0, target.length)));
        }
        return file.toArray();
    }

    private static void assertClosed(CompletableFuture<byte[]> user) {
        assertThatThrownBy(user::get)
                .cause()
                .isInstanceOf(IOException.class)
                .hasMessage("stream was closed while it was used");
    }

    @ParameterizedTest
    @EnumSource
    void aDecompressorThatIsEndedGivesItsMemoryBack(CodecUnderTest format) throws Exception {
        CompressionCodec codec = codec(format);
        byte[] file = file(codec, TEXT);
        Decompressor decompressor = codec.createDecompressor();
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> decompress(decompressor, file));
        await(engine.inside);
        decompressor.end();
        engine.mayGoOn.countDown();
        assertClosed(user);
        assertThat(engine.lent).hasValue(0);
        assertThatThrownBy(() -> decompressor.decompress(new byte[1], 0, 1)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @EnumSource
    void aCompressorThatIsEndedGivesItsMemoryBack(CodecUnderTest format) throws Exception {
        Compressor compressor = codec(format).createCompressor();
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> compress(compressor, TEXT));
        await(engine.inside);
        compressor.end();
        engine.mayGoOn.countDown();
        assertClosed(user);
        assertThat(engine.lent).hasValue(0);
        assertThatThrownBy(() -> compressor.compress(new byte[1], 0, 1)).isInstanceOf(IOException.class);
    }

    /** A pool resets what it is given back, and lends it again, also where the first user is still inside. */
    @ParameterizedTest
    @EnumSource
    void whoResetsADecompressorThatIsInUseHasOneForItself(CodecUnderTest format) throws Exception {
        CompressionCodec codec = codec(format);
        byte[] file = file(codec, TEXT);
        byte[] otherFile = file(codec, OTHER);
        Decompressor decompressor = codec.createDecompressor();
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> {
            decompressor.setInput(file, 0, file.length);
            byte[] target = new byte[10_000];
            return Arrays.copyOf(target, decompressor.decompress(target, 0, target.length));
        });
        await(engine.inside);
        decompressor.reset();
        engine.mayGoOn.countDown();
        assertThat(decompress(decompressor, otherFile)).isEqualTo(OTHER);
        assertClosed(user);
        decompressor.end();
        assertThat(engine.lent).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void whoResetsACompressorThatIsInUseHasOneForItself(CodecUnderTest format) throws Exception {
        CompressionCodec codec = codec(format);
        Compressor compressor = codec.createCompressor();
        HeldEngine engine = HeldEngine.installed();
        CompletableFuture<byte[]> user = supply(() -> {
            compressor.setInput(TEXT, 0, TEXT.length);
            byte[] target = new byte[10_000];
            return Arrays.copyOf(target, compressor.compress(target, 0, target.length));
        });
        await(engine.inside);
        compressor.reset();
        engine.mayGoOn.countDown();
        byte[] written = compress(compressor, OTHER);
        assertClosed(user);
        try (InputStream in = codec.createInputStream(new ByteArrayInputStream(written))) {
            assertThat(in.readAllBytes()).isEqualTo(OTHER);
        }
        compressor.end();
        assertThat(engine.lent).hasValue(0);
    }
}
