package io.warpcodec.benchmarks.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lets Java processes find this machine by its name on loopback, also where its name resolves to nothing: a file of
 * hosts that Java reads instead of asking the system.
 */
final class LoopbackHosts {
    private static final String PROPERTY = "jdk.net.hosts.file";

    private LoopbackHosts() {}

    /** For this process, before it looks up any host, and for others: their option. */
    static String install(Path folder) throws IOException {
        Path file = folder.resolve("hosts");
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        Files.writeString(file, "127.0.0.1 localhost " + name + "\n");
        System.setProperty(PROPERTY, file.toString());
        return "-D" + PROPERTY + "=" + file;
    }
}
