package io.warpcodec.cli.file;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A tmpfs on a folder while a test runs; where this user may not mount, the test is skipped and says so. */
public record MountedFolder(Path folder) implements AutoCloseable {

    public static MountedFolder tmpfs(Path folder, String options) throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                succeeds("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString()),
                "this user may not mount a tmpfs");
        return new MountedFolder(folder);
    }

    void makeReadOnly() throws IOException, InterruptedException {
        Assumptions.assumeTrue(
                succeeds("mount", "-o", "remount,ro", folder.toString()), "this user may not remount a tmpfs");
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (!succeeds("umount", folder.toString()) && !succeeds("umount", "-l", folder.toString())) {
            throw new IOException("cannot unmount " + folder);
        }
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(300, SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }
}
