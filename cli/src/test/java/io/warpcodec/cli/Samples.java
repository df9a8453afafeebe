package io.warpcodec.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;

/** Bytes to compress. */
public final class Samples {

    private static final long SEED = 20261120L;

    private Samples() {}

    /** Lines with numbers in them: compresses, and differs everywhere. */
    public static byte[] text(int bytes) {
        StringBuilder lines = new StringBuilder(bytes + 64);
        Random random = new Random(SEED);
        for (int row = 0; lines.length() < bytes; row++) {
            lines.append(row)
                    .append("|some words that return|")
                    .append(random.nextInt(1000))
                    .append('\n');
        }
        return Arrays.copyOf(lines.toString().getBytes(StandardCharsets.US_ASCII), bytes);
    }

    public static byte[] noise(int bytes) {
        byte[] noise = new byte[bytes];
        new Random(SEED).nextBytes(noise);
        return noise;
    }

    /** A pipe of this name, into which a thread writes these bytes. */
    public static Path pipe(Path name, byte[] bytes) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("mkfifo", name.toString()).start().waitFor();
        if (exit != 0) {
            throw new IOException("mkfifo: " + exit);
        }
        Thread writer = new Thread(() -> {
            try {
                Files.write(name, bytes, StandardOpenOption.WRITE);
            } catch (IOException noReader) {
                // to the end
            }
        });
        writer.setDaemon(true);
        writer.start();
        return name;
    }
}
