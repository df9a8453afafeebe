package io.warpcodec.golden;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.Mode;
import io.warpcodec.forge.ZstdForge;
import io.warpcodec.stream.ChunkedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Makes the golden files of a format's version, once, when the version is released:
 * {@code GoldenFiles FOLDER FORMAT VERSION} writes {@code FOLDER/FORMAT/vVERSION}, and refuses a folder that exists.
 * What it wrote for a version that is no longer written stays in the tree as it is; this program cannot make it
 * again.
 *
 * <p>Good files lie in the folder, files with one defect each, named for it, in its {@code errors}.
 * {@code EXPECTED.tsv} lists both: size and SHA-256 of the file, what a reader must answer, size and SHA-256 of the
 * raw bytes. These are taken from the input, never from a decoder. A file whose index lies is good: sizes in an index
 * are hints.
 */
public final class GoldenFiles {
    private static final CodecOptions OPTIONS = CodecOptions.DEFAULTS.withMode(Mode.CPU);
    private static final byte[] TEXT = GoldenInput.text(5_000, 1);

    private final Path folder;
    private final List<String> lines = new ArrayList<>();

    private GoldenFiles(Path folder) {
        this.folder = folder;
        lines.add("path\tbytes\tsha256\texpect\tout_bytes\tout_sha256\tnote");
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0], arguments[1], "v" + arguments[2]);
        if (Files.exists(folder)) {
            throw new IOException(folder + " exists: golden files are never made again");
        }
        Files.createDirectories(folder.resolve("errors"));
        GoldenFiles files = new GoldenFiles(folder);
        switch (arguments[1]) {
            case "gzip" -> files.gzip();
            case "lz4" -> files.lz4();
            case "zstd" -> files.zstd();
            case "gzip-index" -> GoldenIndexes.write(files);
            default -> throw new IOException("no golden files of " + arguments[1]);
        }
        Files.write(folder.resolve("EXPECTED.tsv"), files.lines);
    }

    private void gzip() throws IOException {
        usual(Format.GZIP);
        byte[] one = write(Format.GZIP, TEXT, OPTIONS);
        int end = one.length;
        good("lie-member-bytes-small.gz", le32(one, 26, end - 40), TEXT);
        good("lie-member-bytes-large.gz", le32(one, 26, end + 1), TEXT);
        good("lie-raw-bytes.gz", le32(one, 30, TEXT.length - 1), TEXT);
        good("version-unknown.gz", u8(one, 16, 77), TEXT);
        good("flags-set.gz", u8(one, 17, 1), TEXT);
        good("signature-of-another.gz", u8(one, 18, 0), TEXT);
        good("zeros-behind.gz", concat(one, new byte[700]), TEXT);
        bad("header-magic.gz", u8(one, 1, 0x8c));
        bad("header-method.gz", u8(one, 2, 9));
        bad("header-reserved-flag.gz", u8(one, 3, 0x24));
        bad("extra-field-past-the-end.gz", u8(one, 11, 0xff));
        bad("body-block-type-3.gz", u8(one, 34, one[34] | 6));
        bad("body-bit-flipped.gz", u8(one, 34 + (end - 42) / 2, one[34 + (end - 42) / 2] ^ 0x10));
        bad("trailer-crc.gz", u8(one, end - 8, one[end - 8] ^ 1));
        bad("trailer-size.gz", u8(one, end - 4, one[end - 4] ^ 1));
        cuts(one, ".gz", 5, 20, 34, end / 2, end - 6, end - 1);
        trail("bytes-behind.gz", concat(one, "behind".getBytes(StandardCharsets.US_ASCII)), TEXT);
    }

    private void lz4() throws IOException {
        usual(Format.LZ4);
        byte[] one = write(Format.LZ4, TEXT, OPTIONS);
        int end = one.length;
        int frame = 8 + ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
        good("lie-chunk-bytes-small.lz4", le32(one, 20, end - 40), TEXT);
        good("lie-chunk-bytes-large.lz4", le32(one, 20, end + 1), TEXT);
        good("lie-raw-bytes.lz4", le32(one, 24, TEXT.length - 1), TEXT);
        good("version-unknown.lz4", u8(one, 16, 77), TEXT);
        good("flags-set.lz4", u8(one, 17, 1), TEXT);
        good("signature-of-another.lz4", u8(one, 8, 0), TEXT);
        good("without-marker.lz4", Arrays.copyOfRange(one, frame, end), TEXT);
        bad("marker-size-past-the-end.lz4", le32(one, 4, 1 << 20));
        bad("frame-magic.lz4", u8(one, frame, 5));
        bad("frame-version.lz4", u8(one, frame + 4, 0xac));
        bad("frame-reserved-bit.lz4", u8(one, frame + 4, 0x6e));
        bad("frame-block-size-code.lz4", u8(one, frame + 5, 0x30));
        bad("frame-content-size.lz4", u8(one, frame + 6, one[frame + 6] ^ 1));
        bad("frame-header-checksum.lz4", u8(one, frame + 14, one[frame + 14] ^ 1));
        bad("block-size-over-64-KiB.lz4", le32(one, frame + 15, (64 << 10) + 1));
        bad("block-bit-flipped.lz4", u8(one, (frame + end) / 2, one[(frame + end) / 2] ^ 0x10));
        bad("end-mark-not-zero.lz4", u8(one, end - 8, 1));
        bad("content-checksum.lz4", u8(one, end - 1, one[end - 1] ^ 1));
        cuts(one, ".lz4", 3, 20, frame + 2, frame + 10, frame + 17, (frame + end) / 2, end - 6, end - 1);
        trail("bytes-behind.lz4", concat(one, "behind".getBytes(StandardCharsets.US_ASCII)), TEXT);
    }

    private void zstd() throws IOException {
        usual(Format.ZSTD);
        byte[] one = ZstdForge.marked(write(Format.ZSTD, TEXT, OPTIONS), TEXT.length);
        int end = one.length;
        good("lie-chunk-bytes-small.zst", le32(one, 20, end - 40), TEXT);
        good("lie-chunk-bytes-large.zst", le32(one, 20, end + 1), TEXT);
        good("lie-raw-bytes.zst", le32(one, 24, TEXT.length - 1), TEXT);
        good("version-unknown.zst", u8(one, 16, 77), TEXT);
        good("flags-set.zst", u8(one, 17, 1), TEXT);
        good("signature-of-another.zst", u8(one, 8, 0), TEXT);
        good("without-marker.zst", Arrays.copyOfRange(one, 28, end), TEXT);
        bad("marker-size-past-the-end.zst", le32(one, 4, 1 << 20));
        bad("frame-magic.zst", u8(one, 28, 0x29));
        bad("frame-reserved-bit.zst", u8(one, 32, one[32] | 8));
        bad("frame-content-size.zst", u8(one, 33, one[33] ^ 1));
        bad("block-type-reserved.zst", u8(one, 35, one[35] | 6));
        bad("block-bit-flipped.zst", u8(one, (28 + end) / 2, one[(28 + end) / 2] ^ 0x10));
        bad("content-checksum.zst", u8(one, end - 1, one[end - 1] ^ 1));
        cuts(one, ".zst", 3, 20, 30, 34, 37, (28 + end) / 2, end - 2);
        trail("bytes-behind.zst", concat(one, "behind".getBytes(StandardCharsets.US_ASCII)), TEXT);
    }

    /** What every format has: the sizes at which chunks begin and end, and files behind each other. */
    private void usual(Format format) throws IOException {
        String suffix = format.suffix();
        byte[] nothing = new byte[0];
        byte[] empty = write(format, nothing, OPTIONS);
        byte[] one = write(format, TEXT, OPTIONS);
        good("empty" + suffix, empty, nothing);
        good("one-byte" + suffix, write(format, new byte[] {'w'}, OPTIONS), new byte[] {'w'});
        good("one-chunk" + suffix, one, TEXT);
        byte[] many = GoldenInput.mixed(40_000, 2);
        good("chunks-of-1-KiB" + suffix, write(format, many, OPTIONS.withChunkBytes(1 << 10)), many);
        byte[] exact = GoldenInput.text(8 << 10, 3);
        good("chunks-of-1-KiB-to-the-byte" + suffix, write(format, exact, OPTIONS.withChunkBytes(1 << 10)), exact);
        byte[] noise = GoldenInput.noise(5_000, 4);
        good("incompressible" + suffix, write(format, noise, OPTIONS.withChunkBytes(2 << 10)), noise);
        byte[] run = GoldenInput.run(1_300_000, 'x');
        good("largest-chunk" + suffix, write(format, run, OPTIONS.withChunkBytes(1 << 20)), run);
        byte[] usual = concat(GoldenInput.text(100_000, 5), GoldenInput.run(500_000, 0), GoldenInput.noise(3_000, 6));
        good("chunks-of-256-KiB" + suffix, write(format, usual, OPTIONS), usual);
        good("joined" + suffix, concat(empty, one, empty, one), concat(TEXT, TEXT));
    }

    static byte[] write(Format format, byte[] raw, CodecOptions options) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (OutputStream out = new ChunkedOutputStream(file, format, options)) {
            out.write(raw);
        }
        return file.toByteArray();
    }

    void good(String name, byte[] file, byte[] raw) throws IOException {
        add(name, file, "good", raw.length + "\t" + sha256(raw), "-");
    }

    void bad(String name, byte[] file) throws IOException {
        add("errors/" + name, file, "bad", "-\t-", "-");
    }

    void bad(String name, byte[] file, String note) throws IOException {
        add("errors/" + name, file, "bad", "-\t-", note);
    }

    private void trail(String name, byte[] file, byte[] raw) throws IOException {
        add("errors/" + name, file, "trail", raw.length + "\t" + sha256(raw), "-");
    }

    private void cuts(byte[] file, String suffix, int... lengths) throws IOException {
        for (int length : lengths) {
            bad("cut-to-" + length + "-of-" + file.length + suffix, Arrays.copyOf(file, length));
        }
    }

    private void add(String name, byte[] file, String expect, String output, String note) throws IOException {
        Files.write(folder.resolve(name), file);
        lines.add(String.join("\t", name, Integer.toString(file.length), sha256(file), expect, output, note));
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static byte[] u8(byte[] file, int at, int value) {
        byte[] changed = file.clone();
        changed[at] = (byte) value;
        return changed;
    }

    static byte[] le32(byte[] file, int at, int value) {
        byte[] changed = file.clone();
        ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return changed;
    }

    static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
