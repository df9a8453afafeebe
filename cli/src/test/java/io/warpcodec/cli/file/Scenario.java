package io.warpcodec.cli.file;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.cli.ToolRun;
import io.warpcodec.stream.ChunkedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/**
 * One call of a verb: the files before it, and the files after it.
 *
 * @param label what the report calls it
 * @param words the call; {@code @} stands for the folder
 * @param before files and their content
 * @param input the file that it works on
 * @param output the file that it writes
 * @param after the names of all files when it is done
 */
record Scenario(
        String label, List<String> words, Map<String, byte[]> before, String input, String output, Set<String> after) {

    /** What the input decodes to, and what the output must decode to. */
    static final byte[] RAW = raw();

    /** What another process writes. */
    static final byte[] FOREIGN = "written by another process".getBytes(StandardCharsets.US_ASCII);

    private static final String FINISHES = "finishes the work: warpcodec ";
    private static final byte[] PLAIN_GZIP = plainGzip();
    private static final byte[] INDEX = index();
    private static final String INDEX_NAME = ".a.gz.wci";
    private static final byte[] OLD = "what was there before".getBytes(StandardCharsets.US_ASCII);

    /** All of them. */
    static List<Scenario> all() {
        Map<String, byte[]> raw = Map.of("a", RAW);
        Map<String, byte[]> gzip = Map.of("a.gz", PLAIN_GZIP);
        Map<String, byte[]> indexed = Map.of("a.gz", PLAIN_GZIP, INDEX_NAME, INDEX);
        return List.of(
                of("compress", "compress @/a", raw, "a", "a.gz", "a.gz"),
                of("compress -k", "compress -k @/a", raw, "a", "a.gz", "a", "a.gz"),
                of("compress -f", "compress -f @/a", Map.of("a", RAW, "a.gz", OLD), "a", "a.gz", "a.gz"),
                of("compress -o", "compress -f -o @/b.gz @/a", Map.of("a", RAW, "b.gz", OLD), "a", "b.gz", "a", "b.gz"),
                of("decompress", "decompress @/a.gz", indexed, "a.gz", "a", "a"),
                of("decompress -k", "decompress -k @/a.gz", gzip, "a.gz", "a", "a", "a.gz"),
                of("decompress -o", "decompress -o @/b @/a.gz", gzip, "a.gz", "b", "a.gz", "b"),
                of("recompress in place", "recompress --format gzip @/a.gz", indexed, "a.gz", "a.gz", "a.gz"),
                of("recompress", "recompress --format zstd @/a.gz", indexed, "a.gz", "a.zst", "a.zst"),
                of("recompress -k", "recompress -k --format zstd @/a.gz", gzip, "a.gz", "a.zst", "a.gz", "a.zst"),
                of(
                        "recompress -o",
                        "recompress --format zstd -o @/out @",
                        gzip,
                        "a.gz",
                        "out/a.zst",
                        "a.gz",
                        "out/a.zst"),
                of("index", "index --spacing 500 @/a.gz", gzip, "a.gz", INDEX_NAME, "a.gz", INDEX_NAME),
                of("index -f", "index -f --spacing 500 @/a.gz", indexed, "a.gz", INDEX_NAME, "a.gz", INDEX_NAME));
    }

    /** The one with a label. */
    static Scenario labelled(String label) {
        return all().stream()
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    private static Scenario of(
            String label, String words, Map<String, byte[]> before, String input, String output, String... after) {
        return new Scenario(label, List.of(words.split(" ")), before, input, output, Set.of(after));
    }

    /** Whether the output takes the input's place. */
    boolean isInPlace() {
        return output.equals(input);
    }

    /** Whether the input is there afterwards, as it was. */
    boolean keepsInput() {
        return after.contains(input) && !isInPlace();
    }

    /** Whether a file that the call did not make may be replaced by its output. */
    boolean mayReplace() {
        return words.contains("-f");
    }

    /** The call in a folder. */
    Object[] call(String folder) {
        return java.util.stream.Stream.concat(
                        words.stream().map(word -> word.replace("@", folder)),
                        java.util.stream.Stream.of("--engine", "cpu", "--threads", "1"))
                .toArray();
    }

    /** A run of the call that {@code call} names to finish the work; {@code call} itself if it names none. */
    static ToolRun finished(ToolRun call) {
        int command = call.err().indexOf(FINISHES);
        if (call.exit() != 2 || command < 0) {
            return call;
        }
        String words = call.err()
                .substring(command + FINISHES.length())
                .lines()
                .findFirst()
                .orElseThrow();
        return ToolRun.of((Object[]) words.split(" "));
    }

    /** Whether a file holds some raw bytes, as they are or compressed, all of them. */
    static boolean holds(byte[] file, byte[] raw) {
        if (Arrays.equals(file, raw)) {
            return true;
        }
        Format format = formatOf(file);
        if (format == null) {
            return false;
        }
        try (ChunkedInputStream in =
                new ChunkedInputStream(new ByteArrayInputStream(file), format, CodecOptions.DEFAULTS)) {
            return Arrays.equals(in.readAllBytes(), raw);
        } catch (IOException damaged) {
            return false;
        }
    }

    private static Format formatOf(byte[] file) {
        if (file.length < 4) {
            return null;
        }
        boolean isSkippable = (file[0] & 0xf0) == 0x50 && file[1] == 0x2a;
        return file[0] == 0x1f ? Format.GZIP : file[0] == 0x28 || isSkippable ? Format.ZSTD : null;
    }

    /** Whether the files are those that an undisturbed call leaves, but for leftovers. */
    boolean isDone(Map<String, byte[]> files) {
        for (String name : after) {
            byte[] bytes = files.get(name);
            boolean right = name.equals(INDEX_NAME)
                    ? bytes != null && bytes.length > 8 && Arrays.equals(bytes, 0, 8, INDEX, 0, 8)
                    : bytes != null && holds(bytes, RAW);
            if (!right) {
                return false;
            }
        }
        boolean isWritten = !isInPlace() || !Arrays.equals(files.get(output), before.get(input));
        return isWritten && files.keySet().stream().allMatch(name -> after.contains(name) || isLeftover(name));
    }

    static boolean isLeftover(String name) {
        return name.contains(".partial-") || name.contains(".replaced-");
    }

    private static byte[] raw() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; lines.length() < 6_000; i++) {
            lines.append(i * 7919 % 1000)
                    .append("|a line of some table|")
                    .append(i)
                    .append('\n');
        }
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** A file of several blocks, so that it splits. */
    private static byte[] plainGzip() {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(file, 512, true)) {
            for (int at = 0; at < RAW.length; at += 1_000) {
                out.write(RAW, at, Math.min(1_000, RAW.length - at));
                out.flush();
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return file.toByteArray();
    }

    private static byte[] index() {
        try {
            Path folder = Files.createTempDirectory("index");
            Path gzip = Files.write(folder.resolve("a.gz"), PLAIN_GZIP);
            ToolRun run = ToolRun.of("index", "--spacing", "500", "--engine", "cpu", gzip);
            Path index = folder.resolve(INDEX_NAME);
            if (!Files.exists(index)) {
                throw new AssertionError("no index: " + run.err() + run.text());
            }
            byte[] bytes = Files.readAllBytes(index);
            Files.delete(index);
            Files.delete(gzip);
            Files.delete(folder);
            return bytes;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
