package io.warpcodec.benchmarks.stream;

import io.warpcodec.Format;
import io.warpcodec.benchmarks.HadoopStreamCodec;
import io.warpcodec.benchmarks.ResultFile;
import io.warpcodec.benchmarks.StreamCodec;
import io.warpcodec.benchmarks.TpchText;
import io.warpcodec.hadoop.GpuGzipCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What whole {@code .gz} files weigh: ours with all that they carry, zlib -6 on the same members with a plain gzip
 * header and trailer each, and one gzip -6 stream. Ours is read by the JDK and compared before its size counts.
 *
 * <pre>usage: GzipSizes [--data NAME=FILE,...] [--modes gpu,cpu] [--levels 1,6,9] [--out PATH] [--commit ID]</pre>
 *
 * Without a file, {@code lineitem} is 24 MiB of TPC-H text.
 */
public final class GzipSizes {
    private static final String HEADER =
            "data,raw_bytes,mode,level,file_bytes,zlib6_members_bytes,gzip6_stream_bytes,to_members_percent,to_stream_percent";
    private static final int MEMBER_BYTES = Format.GZIP.defaultChunkBytes();
    private static final int PLAIN_OVERHEAD_BYTES = 18;
    private static final int LINEITEM_BYTES = 24 << 20;

    private GzipSizes() {}

    public static void main(String[] arguments) throws IOException {
        Map<String, String> options = new TreeMap<>(
                Map.of("data", "lineitem=", "modes", "gpu,cpu", "levels", "1,6,9", "out", "gzip-sizes.csv"));
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            options.put(arguments[i].substring(2), arguments[i + 1]);
        }
        ResultFile results = new ResultFile(options, HEADER);
        for (String pair : options.get("data").split(",")) {
            String file = pair.substring(pair.indexOf('=') + 1);
            byte[] raw = file.isEmpty() ? TpchText.lineitem(LINEITEM_BYTES) : Files.readAllBytes(Path.of(file));
            long members = zlibMembersBytes(raw);
            long stream = gzipStreamBytes(raw);
            for (String mode : options.get("modes").split(",")) {
                for (String level : options.get("levels").split(",")) {
                    byte[] ours = ours(raw, mode, level);
                    results.note(String.format(
                            Locale.ROOT,
                            "%s,%d,%s,%s,%d,%d,%d,%.2f,%.2f",
                            pair.substring(0, pair.indexOf('=')),
                            raw.length,
                            mode,
                            level,
                            ours.length,
                            members,
                            stream,
                            100.0 * ours.length / members - 100,
                            100.0 * ours.length / stream - 100));
                }
            }
        }
    }

    private static byte[] ours(byte[] raw, String mode, String level) throws IOException {
        StreamCodec codec = new HadoopStreamCodec(
                GpuGzipCodec.class, "io.compression.codec.gpu.mode", mode, "io.compression.codec.gpu.level", level);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = codec.compress(file)) {
            out.write(raw);
        }
        byte[] bytes = file.toByteArray();
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            if (!Arrays.equals(in.readAllBytes(), raw)) {
                throw new IOException("mode " + mode + ", level " + level + ": the JDK reads other bytes");
            }
        }
        return bytes;
    }

    private static long zlibMembersBytes(byte[] raw) {
        Deflater deflater = new Deflater(6, true);
        byte[] sink = new byte[2 * MEMBER_BYTES];
        long bytes = 0;
        for (int at = 0; at < raw.length; at += MEMBER_BYTES) {
            deflater.reset();
            deflater.setInput(raw, at, Math.min(MEMBER_BYTES, raw.length - at));
            deflater.finish();
            bytes += deflater.deflate(sink) + PLAIN_OVERHEAD_BYTES;
        }
        deflater.end();
        return bytes;
    }

    private static long gzipStreamBytes(byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(file) {
            {
                def.setLevel(6);
            }
        }) {
            out.write(raw);
        }
        return file.size();
    }
}
