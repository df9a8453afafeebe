package io.warpcodec.benchmarks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;

/**
 * Ten kinds of data that are unlike lineitem: what a codec that was tuned to tables and books may be slow for. Always
 * the same bytes, made by a program, so that no file is needed.
 */
public enum DataKind {
    /** Records of an interface. */
    JSON {
        @Override
        void add(Writer out, SplittableRandom random) {
            out.text(
                    "{\"id\":%d,\"user\":\"u%d\",\"at\":\"2026-11-%02dT%02d:%02d:%02dZ\",\"tags\":[\"%s\",\"%s\"],\"score\":%.6f,\"ok\":%b}%n",
                    out.count++,
                    random.nextInt(5000),
                    1 + random.nextInt(28),
                    random.nextInt(24),
                    random.nextInt(60),
                    random.nextInt(60),
                    anyWord(random),
                    anyWord(random),
                    random.nextDouble(),
                    random.nextBoolean());
        }
    },
    /** Lines of a server's log. */
    LOGS {
        @Override
        void add(Writer out, SplittableRandom random) {
            long second = out.count++ / 9;
            out.text(
                    "26/11/27 %02d:%02d:%02d INFO Executor: Finished task %d.0 in stage %d.0 (TID %d) in %d ms on host-%d (executor %d)%n",
                    second / 3600 % 24,
                    second / 60 % 60,
                    second % 60,
                    random.nextInt(400),
                    out.count / 4000,
                    out.count,
                    random.nextInt(30_000),
                    random.nextInt(64),
                    random.nextInt(16));
        }
    },
    /** Separated fields, many of them empty or zeros. */
    SPARSE_CSV {
        @Override
        void add(Writer out, SplittableRandom random) {
            StringBuilder line = new StringBuilder().append(out.count++);
            for (int field = 0; field < 24; field++) {
                int what = random.nextInt(12);
                line.append(',').append(what < 6 ? "" : what < 10 ? "0.000000" : random.nextInt(100_000));
            }
            out.text("%s%n", line);
        }
    },
    /** Columns of fixed width, filled up with blanks and zeros: many runs of four bytes and more. */
    FIXED_WIDTH {
        @Override
        void add(Writer out, SplittableRandom random) {
            out.text(
                    "%010d%-24s%14.4f%-8s%08d%40s%n",
                    out.count++,
                    anyWord(random),
                    1000 * random.nextDouble(),
                    random.nextInt(5) == 0 ? "ERR" : "OK",
                    random.nextInt(1000),
                    random.nextInt(3) == 0 ? anyWord(random) : "");
        }
    },
    /** Four letters, as good as at random: two bits each, and no match that pays. */
    DNA {
        @Override
        void add(Writer out, SplittableRandom random) {
            long letters = random.nextLong();
            for (int i = 0; i < Long.SIZE; i += 2) {
                out.put("ACGT".charAt((int) (letters >>> i & 3)));
            }
        }
    },
    /** Doubles of a slow wave with noise in the last digits. */
    FLOATS {
        @Override
        void add(Writer out, SplittableRandom random) {
            double value = 20 + 5 * Math.sin(out.count++ * 1e-4) + 1e-3 * random.nextInt(100);
            out.put(ByteBuffer.allocate(Double.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putDouble(value)
                    .array());
        }
    },
    ZEROS {
        @Override
        void add(Writer out, SplittableRandom random) {
            out.put(new byte[4096]);
        }
    },
    RANDOM {
        @Override
        void add(Writer out, SplittableRandom random) {
            out.put(noise(random, 4096));
        }
    },
    /** A tar of logs and of images, which do not compress: each begins at a multiple of 512 bytes. */
    IMAGES_IN_TAR {
        @Override
        void add(Writer out, SplittableRandom random) {
            byte[] header = new byte[512];
            byte[] name = ("photos/%06d.jpg".formatted(out.count)).getBytes(StandardCharsets.ISO_8859_1);
            System.arraycopy(name, 0, header, 0, name.length);
            out.put(header);
            byte[] body = noise(random, 512 * (50 + random.nextInt(1000)));
            Arrays.fill(body, 20, 200, (byte) 0);
            out.put(body);
            for (int line = 0; line < 2000; line++) {
                LOGS.add(out, random);
            }
        }
    },
    /** Archives one behind the other: gzip members of logs and of records. */
    ARCHIVES {
        @Override
        void add(Writer out, SplittableRandom random) {
            Writer inside = new Writer(200_000);
            DataKind kind = random.nextBoolean() ? LOGS : JSON;
            inside.count = out.count += 1000;
            while (!inside.isFull()) {
                kind.add(inside, random);
            }
            ByteArrayOutputStream member = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(member)) {
                gzip.write(inside.bytes);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            out.put(member.toByteArray());
        }
    };

    private static final String[] WORDS = {
        "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet"
    };

    /** Fills an array; what does not fit is dropped. Not thread-safe. */
    private static final class Writer {
        private final byte[] bytes;
        private int filled;
        private long count;

        Writer(int size) {
            bytes = new byte[size];
        }

        boolean isFull() {
            return filled == bytes.length;
        }

        void put(byte[] more) {
            int taken = Math.min(more.length, bytes.length - filled);
            System.arraycopy(more, 0, bytes, filled, taken);
            filled += taken;
        }

        void put(char letter) {
            if (!isFull()) {
                bytes[filled++] = (byte) letter;
            }
        }

        void text(String pattern, Object... values) {
            put(String.format(Locale.ROOT, pattern, values).getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    /** Adds a little of it. */
    abstract void add(Writer out, SplittableRandom random);

    private static String anyWord(SplittableRandom random) {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private static byte[] noise(SplittableRandom random, int count) {
        byte[] noise = new byte[count];
        random.nextBytes(noise);
        return noise;
    }

    /** As a command line calls it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind of that word; null if there is none. */
    public static DataKind of(String word) {
        return Arrays.stream(values())
                .filter(kind -> kind.word().equals(word))
                .findFirst()
                .orElse(null);
    }

    /** The first bytes of it. */
    public byte[] bytes(int count) {
        Writer out = new Writer(count);
        SplittableRandom random = new SplittableRandom(ordinal() + 1L);
        while (!out.isFull()) {
            add(out, random);
        }
        return out.bytes;
    }
}
