package io.warpcodec;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongBiFunction;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns settings as people write them into {@link CodecOptions} and {@link PoolSettings}. Hadoop and Spark share the
 * last words ({@code mode}, {@code level.gzip}, {@code chunk.size}, ...); each room brings its own prefix and its own
 * look-up. The system property {@link #MODE_PROPERTY} wins over {@code mode}, for emergencies. {@link Setting} says
 * what each setting is.
 */
public final class Settings {
    /** What Hadoop's keys start with. */
    public static final String HADOOP_PREFIX = "io.compression.codec.gpu.";

    /** What Spark's keys start with. */
    public static final String SPARK_PREFIX = "spark.io.compression.gpu.";

    /** System property that overrides the mode. */
    public static final String MODE_PROPERTY = "warpcodec.mode";

    private static final Logger LOG = LoggerFactory.getLogger(Settings.class);
    /** Lines that are logged once a process, by their keys: at most two for each format and key. */
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private Settings() {}

    /**
     * The mode that holds where another is asked for: that of {@link #MODE_PROPERTY}, if it is set.
     *
     * @throws IllegalArgumentException if the property is no mode
     */
    public static Mode overridden(Mode asked) {
        String mode = System.getProperty(MODE_PROPERTY);
        return mode == null ? asked : choice(Setting.MODE.word(), mode, Mode.class);
    }

    /**
     * Reads every setting of a stream.
     *
     * <p>The level is that of {@code level.WORD}, WORD being the {@linkplain Format#word() word} of the format, where
     * that is set: a level that the format does not have is refused. Else it is {@code level}, brought into the
     * format's range, because one value of it is for many formats. LZ4 does not take {@code level}: what is an
     * ordinary level of the other formats makes it several times slower.
     *
     * @param format what the stream reads or writes
     * @param lookup gives the value for a last word, or null where it is not set
     * @param defaults what holds where nothing is set
     * @throws IllegalArgumentException if a value cannot be read, naming key and value
     */
    public static CodecOptions options(Format format, UnaryOperator<String> lookup, CodecOptions defaults) {
        CodecOptions options = withLevel(format, lookup, defaults);
        String mode = System.getProperty(MODE_PROPERTY, lookup.apply(Setting.MODE.word()));
        if (mode != null) {
            options = options.withMode(choice(Setting.MODE.word(), mode, Mode.class));
        }
        String chunk = lookup.apply(Setting.CHUNK_SIZE.word());
        if (chunk != null) {
            options = options.withChunkBytes(bytes(Setting.CHUNK_SIZE.word(), chunk));
        }
        String index = lookup.apply(Setting.INDEX.word());
        if (index != null) {
            options = options.withIndex(truth(Setting.INDEX.word(), index));
        }
        String framing = lookup.apply(Setting.LZ4_FRAMING.word());
        if (framing != null) {
            options = switch (framing.trim().toLowerCase(Locale.ROOT)) {
                case "frame" -> options.withFraming(Framing.STANDARD);
                case "hadoop" -> options.withFraming(Framing.HADOOP);
                default -> throw bad(Setting.LZ4_FRAMING.word(), framing, "frame or hadoop");
            };
        }
        String lenient = lookup.apply(Setting.LENIENT.word());
        if (lenient != null) {
            options = options.withLenient(truth(Setting.LENIENT.word(), lenient));
        }
        String cpuWeight = lookup.apply(Setting.CPU_WEIGHT.word());
        if (cpuWeight != null) {
            options = options.withCpuWeight(fraction(Setting.CPU_WEIGHT.word(), cpuWeight));
        }
        String verify = lookup.apply(Setting.VERIFY_WRITES.word());
        if (verify != null) {
            options = options.withVerifyWrites(fraction(Setting.VERIFY_WRITES.word(), verify));
        }
        return options;
    }

    private static CodecOptions withLevel(Format format, UnaryOperator<String> lookup, CodecOptions defaults) {
        LevelRange range = format.levels();
        if (range.isEmpty()) {
            return defaults;
        }
        String ownKey = Setting.LEVEL_OF_FORMAT.word(format);
        String own = lookup.apply(ownKey);
        if (own != null) {
            int level = number(ownKey, own);
            if (!range.contains(level)) {
                throw bad(ownKey, own, "a level of " + format.word() + ", " + range);
            }
            return defaults.withLevel(level);
        }
        String shared = lookup.apply(Setting.LEVEL.word());
        if (shared == null) {
            return defaults;
        }
        if (format == Format.LZ4) {
            if (SAID.add(ownKey)) {
                LOG.info("level={} is not for lz4, whose level is set by {}", shared.trim(), ownKey);
            }
            return defaults;
        }
        return defaults.withLevel(nearestLevel(format, Setting.LEVEL.word(), number(Setting.LEVEL.word(), shared)));
    }

    /**
     * A level from a key that is not this format's alone, or not ours, brought into the range of the format. If that
     * changes it, one WARN line a process, format and key says so.
     *
     * @param key names the setting in the line
     */
    public static int nearestLevel(Format format, String key, int level) {
        LevelRange range = format.levels();
        int nearest = range.nearest(level);
        if (nearest != level && SAID.add(format.word() + " " + key)) {
            LOG.warn("{}={} is no level of {}, which has {}: {} is used", key, level, format.word(), range, nearest);
        }
        return nearest;
    }

    /**
     * Reads every setting of the process's device pool.
     *
     * @param lookup gives the value for a last word, or null where it is not set
     * @throws IllegalArgumentException if a value cannot be read, naming key and value
     */
    public static PoolSettings pool(UnaryOperator<String> lookup) {
        List<String> devices = words(lookup.apply(Setting.DEVICES.word()));
        boolean own = devices.equals(List.of("own"));
        boolean required = devices.equals(List.of("node"));
        boolean named = !devices.isEmpty() && !own && !required;
        return new PoolSettings(
                named ? devices : List.of(),
                limit(Setting.MEMORY_MAX.word(), lookup, Settings::longBytes),
                limit(Setting.PINNED_MAX.word(), lookup, Settings::longBytes),
                limit(Setting.BATCH_SIZE.word(), lookup, Settings::longBytes),
                limit(Setting.BATCH_LINGER.word(), lookup, Settings::nanos),
                own || named ? NodeSettings.NONE : node(lookup, required));
    }

    private static NodeSettings node(UnaryOperator<String> lookup, boolean required) {
        String folder = lookup.apply(Setting.NODE_FOLDER.word());
        Set<String> users = Set.copyOf(words(lookup.apply(Setting.NODE_USERS.word())));
        if (folder != null && folder.trim().equals("none")) {
            if (required) {
                throw bad(Setting.NODE_FOLDER.word(), folder, "a folder, which devices=node asks for");
            }
            return NodeSettings.NONE;
        }
        try {
            Path path = Path.of(folder == null ? NodeSettings.DEFAULT_FOLDER : folder.trim());
            if (!path.isAbsolute()) {
                throw bad(Setting.NODE_FOLDER.word(), folder, "a folder's absolute path, or none");
            }
            return new NodeSettings(path, users, required);
        } catch (InvalidPathException noPath) {
            throw bad(Setting.NODE_FOLDER.word(), folder, "a folder's absolute path, or none");
        }
    }

    /** What is between commas; nothing where nothing is set. */
    private static List<String> words(String value) {
        return value == null
                ? List.of()
                : Arrays.stream(value.split(","))
                        .map(String::trim)
                        .filter(word -> !word.isEmpty())
                        .distinct()
                        .toList();
    }

    private static long limit(String key, UnaryOperator<String> lookup, ToLongBiFunction<String, String> reading) {
        String value = lookup.apply(key);
        return value == null ? PoolSettings.UNSET : reading.applyAsLong(key, value);
    }

    private static <E extends Enum<E>> E choice(String key, String value, Class<E> type) {
        for (E each : type.getEnumConstants()) {
            if (each.name().equalsIgnoreCase(value.trim())) {
                return each;
            }
        }
        throw bad(
                key, value, "one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT));
    }

    private static int number(String key, String value) {
        try {
            return Integer.parseInt(value.trim());
        } catch (NumberFormatException notANumber) {
            throw bad(key, value, "a whole number");
        }
    }

    private static double fraction(String key, String value) {
        try {
            return Double.parseDouble(value.trim());
        } catch (NumberFormatException notANumber) {
            throw bad(key, value, "a number");
        }
    }

    private static boolean truth(String key, String value) {
        return switch (value.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw bad(key, value, "true or false");
        };
    }

    /** A size in bytes that an array can have. */
    private static int bytes(String key, String value) {
        long size = longBytes(key, value);
        if (size > Integer.MAX_VALUE) {
            throw bad(key, value, "a size in bytes such as 262144 or 256k");
        }
        return (int) size;
    }

    /** A size in bytes: a number, or one with k, m or g behind it (powers of 1024), with or without a b behind that. */
    private static long longBytes(String key, String value) {
        String text = value.trim().toLowerCase(Locale.ROOT).replaceFirst("(?<=[kmg])b$", "");
        int shift = switch (text.isEmpty() ? ' ' : text.charAt(text.length() - 1)) {
            case 'k' -> 10;
            case 'm' -> 20;
            case 'g' -> 30;
            default -> 0;
        };
        return count(key, value, shift == 0 ? text : text.substring(0, text.length() - 1), 1L << shift);
    }

    /** A time in nanoseconds: a number with us, ms or s behind it. */
    private static long nanos(String key, String value) {
        String text = value.trim().toLowerCase(Locale.ROOT);
        String digits = text.replaceFirst("[a-z]+$", "");
        long unitNanos = switch (text.substring(digits.length())) {
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            default -> throw bad(key, value, "a time such as 200us or 1ms");
        };
        return count(key, value, digits, unitNanos);
    }

    private static long count(String key, String value, String digits, long unit) {
        try {
            long number = Long.parseLong(digits);
            if (number >= 0) {
                return Math.multiplyExact(number, unit);
            }
        } catch (ArithmeticException | NumberFormatException notACount) {
            // refused below
        }
        throw bad(key, value, "a number with a unit such as 256k, 2g or 200us");
    }

    private static IllegalArgumentException bad(String key, String value, String wanted) {
        return new IllegalArgumentException("setting " + key + " is '" + value + "', not " + wanted);
    }
}
