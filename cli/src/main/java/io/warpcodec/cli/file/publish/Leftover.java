package io.warpcodec.cli.file.publish;

import io.warpcodec.cli.file.system.FileOperations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file that a call left when it was killed.
 *
 * @param name the last part of the path of the file that it was to become, or was
 * @param id tells the files of one publication from those of another
 */
public record Leftover<P>(P path, String name, Kind kind, String id) {

    /** What it is; also a part of its name. */
    public enum Kind {
        /** An output, perhaps complete. */
        PARTIAL,
        /** The file that an output was about to replace. */
        REPLACED;

        /** The path of such a file beside a target. */
        public <P> P of(FileOperations<P> files, P target, String id) {
            return files.resolve(
                    files.parent(target),
                    "." + files.nameOf(target) + "." + name().toLowerCase(Locale.ROOT) + "-" + id);
        }
    }

    private static final Pattern NAME = Pattern.compile("\\.(.+)\\.(partial|replaced)-([0-9a-f-]+)", Pattern.DOTALL);

    /** A new id. It is short, so that names of nearly the greatest length can be written too. */
    static String newId() {
        return Integer.toHexString(ThreadLocalRandom.current().nextInt());
    }

    /** All of a folder. */
    public static <P> List<Leftover<P>> in(FileOperations<P> files, P folder) throws IOException {
        List<Leftover<P>> found = new ArrayList<>();
        for (FileOperations.Listed<P> listed : files.list(folder, NAME.asMatchPredicate())) {
            Matcher parts = NAME.matcher(files.nameOf(listed.path()));
            if (listed.facts().isRegular() && parts.matches()) {
                Kind kind = Kind.valueOf(parts.group(2).toUpperCase(Locale.ROOT));
                found.add(new Leftover<>(listed.path(), parts.group(1), kind, parts.group(3)));
            }
        }
        return found;
    }
}
