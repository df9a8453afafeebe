package io.warpcodec.cli.doctor;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.engine.ChoiceReport;
import io.warpcodec.engine.Engine;
import io.warpcodec.stream.ChunkedInputStream;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers by which mode {@code auto} chooses, after some work that this process gives to both sides.
 */
final class ChoiceFindings {
    /** Sizes of work that is waited for at once, and of work that is not. */
    static final int[] SAMPLE_BYTES = {64 << 10, 1 << 20, 8 << 20};

    private static final int ROUNDS = 4;

    private ChoiceFindings() {}

    /** @param sampleBytes sizes of what is written and read, in bytes */
    static Object collect(Engine accelerator, int... sampleBytes) {
        try {
            for (Format format : Format.values()) {
                if (accelerator.supports(format, Direction.DECODE)) {
                    work(format, sampleBytes);
                }
            }
        } catch (IOException failure) {
            return "not measured: " + failure.getMessage();
        }
        List<Map<String, Object>> findings = new ArrayList<>();
        for (ChoiceReport report : accelerator.choices(CodecOptions.DEFAULTS.cpuWeight())) {
            findings.add(finding(report));
        }
        return findings;
    }

    private static void work(Format format, int[] sampleBytes) throws IOException {
        for (int bytes : sampleBytes) {
            byte[] raw = sample(bytes);
            for (int round = 0; round < ROUNDS; round++) {
                for (Mode mode : new Mode[] {Mode.GPU, Mode.AUTO}) {
                    CodecOptions options = CodecOptions.DEFAULTS.withMode(mode);
                    byte[] sample = write(format, options, raw);
                    try (InputStream in = new ChunkedInputStream(new ByteArrayInputStream(sample), format, options)) {
                        in.transferTo(OutputStream.nullOutputStream());
                    }
                }
            }
        }
    }

    private static byte[] write(Format format, CodecOptions options, byte[] raw) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream(raw.length);
        try (OutputStream out = new ChunkedOutputStream(file, format, options)) {
            out.write(raw);
        }
        return file.toByteArray();
    }

    /** Rows of numbers, which compress about as text does. */
    private static byte[] sample(int bytes) {
        StringBuilder rows = new StringBuilder(bytes + 64);
        for (long row = 1; rows.length() < bytes; row++) {
            rows.append(row)
                    .append('|')
                    .append(row * row % 99_991)
                    .append('|')
                    .append(row * 7919 % 1013)
                    .append(".5|A\n");
        }
        rows.setLength(bytes);
        return rows.toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    private static Map<String, Object> finding(ChoiceReport report) {
        Map<String, Object> finding = new LinkedHashMap<>();
        finding.put("work", report.work());
        finding.put("turnaroundMicros", Math.round(report.turnaroundNanos() / 1e3));
        finding.put("cpuNanosPerByte", Math.round(report.cpuNanosPerByte() * 1e3) / 1e3);
        finding.put("deviceFromBytes", report.leastBytes());
        return finding;
    }
}
