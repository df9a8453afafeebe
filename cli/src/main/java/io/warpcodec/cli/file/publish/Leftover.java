package io.warpcodec.cli.file.publish;

import io.warpcodec.cli.file.system.FileOperations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * A file that a call left when it was killed: {@code .STEM.partial-ID} or {@code .STEM.replaced-ID}. The stem is the
 * name of the file that it was to become, or was. The id ends with check digits over the rest of the name, which
 * other people's files do not have.
 *
 * <p>Of a long name the stem has the front and a sum, and {@code ~} stands before the id: every file system that has
 * the one name has the other too.
 *
 * @param stem what it has of that file's name
 * @param isCut whether that is only the front and a sum
 * @param id tells the files of one publication from those of another
 */
public record Leftover<P>(P path, String stem, boolean isCut, Kind kind, String id) {

    /** What it is; also a part of its name. */
    public enum Kind {
        /** An output, perhaps complete. */
        PARTIAL,
        /** The file that an output was about to replace. */
        REPLACED;

        /** The path of such a file beside a target. */
        public <P> P of(FileOperations<P> files, P target, String id) {
            String name = files.nameOf(target);
            String front = "." + stemOf(name) + "." + word() + (isCut(name) ? "~" : "-") + id;
            return files.resolve(files.parent(target), front + sumOf(front, Short.BYTES));
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Pattern NAME =
            Pattern.compile("(\\.(.+)\\.(partial|replaced)([-~])([0-9a-f]{8}))([0-9a-f]{4})", Pattern.DOTALL);

    /** The greatest length of a name, in bytes, on the file systems that take the shortest ones. */
    private static final int SHORTEST_LIMIT = 143;
    /** What a name has around its stem. */
    private static final int DECORATION = "..replaced-0123456789ab".length();

    private static final int SUM_DIGITS = 2 * Integer.BYTES;

    /** A new id. */
    static String newId() {
        return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /** Whether it is one of this file's, or of a file of this name that is not there. */
    public boolean isOf(String fileName) {
        return stem.equals(stemOf(fileName)) && isCut == isCut(fileName);
    }

    private static boolean isCut(String fileName) {
        return bytes(fileName) + DECORATION > SHORTEST_LIMIT;
    }

    private static String stemOf(String fileName) {
        if (!isCut(fileName)) {
            return fileName;
        }
        int most = Math.max(SHORTEST_LIMIT, bytes(fileName)) - DECORATION - SUM_DIGITS;
        int end = fileName.length();
        while (bytes(fileName.substring(0, end)) > most) {
            end = fileName.offsetByCodePoints(end, -1);
        }
        return fileName.substring(0, end) + sumOf(fileName, Integer.BYTES);
    }

    private static int bytes(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String sumOf(String text, int bytes) {
        CRC32 sum = new CRC32();
        sum.update(("warpcodec " + text).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits(sum.getValue(), 2 * bytes);
    }

    /** All of a folder. */
    public static <P> List<Leftover<P>> in(FileOperations<P> files, P folder) throws IOException {
        List<Leftover<P>> found = new ArrayList<>();
        for (FileOperations.Listed<P> listed : files.list(folder, NAME.asMatchPredicate())) {
            Matcher parts = NAME.matcher(files.nameOf(listed.path()));
            if (listed.facts().isRegular()
                    && parts.matches()
                    && sumOf(parts.group(1), Short.BYTES).equals(parts.group(6))) {
                Kind kind = Kind.valueOf(parts.group(3).toUpperCase(Locale.ROOT));
                boolean isCut = parts.group(4).equals("~");
                found.add(new Leftover<>(listed.path(), parts.group(2), isCut, kind, parts.group(5)));
            }
        }
        return found;
    }
}
