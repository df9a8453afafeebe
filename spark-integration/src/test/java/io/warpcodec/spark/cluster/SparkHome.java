package io.warpcodec.spark.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.spark.package$;
import scala.util.Properties;

/**
 * A Spark installation in a folder: {@code jars/} holds what Spark itself depends on and nothing of ours, as a download
 * would, and {@code conf/} is empty.
 *
 * <p>The list of jars is made by the build, in the file that the system property {@code warpcodec.test.sparkJars}
 * names.
 */
public final class SparkHome {
    private final Path folder;

    private SparkHome(Path folder) {
        this.folder = folder;
    }

    /** Makes an untouched installation. */
    public static SparkHome create(Path folder) throws IOException {
        SparkHome home = new SparkHome(folder);
        Files.createDirectories(home.jars());
        Files.createDirectories(home.conf());
        Path list = Path.of(System.getProperty("warpcodec.test.sparkJars"));
        for (String jar : Files.readString(list).trim().split(File.pathSeparator)) {
            link(Path.of(jar), home.jars());
        }
        return home;
    }

    /**
     * Drops a jar into the jars folder. Processes that start from now on have it: drivers and executors of the next
     * application.
     */
    public void add(Path jar) throws IOException {
        link(jar, jars());
    }

    private static void link(Path jar, Path target) throws IOException {
        Path copy = target.resolve(jar.getFileName());
        if (Files.exists(copy)) {
            return;
        }
        try {
            Files.createLink(copy, jar);
        } catch (FileSystemException | UnsupportedOperationException e) {
            Files.copy(jar, copy);
        }
    }

    Path jars() {
        return folder.resolve("jars");
    }

    Path conf() {
        return folder.resolve("conf");
    }

    /** What a process of this installation must have in its environment. */
    Map<String, String> environment() {
        String scalaVersion = Properties.versionNumberString();
        return Map.of(
                "SPARK_HOME", folder.toString(),
                "SPARK_SCALA_VERSION", scalaVersion.substring(0, scalaVersion.lastIndexOf('.')),
                "SPARK_LOCAL_IP", "127.0.0.1",
                "JAVA_HOME", System.getProperty("java.home"));
    }

    /** The version of Spark in this installation. */
    public static String version() {
        return package$.MODULE$.SPARK_VERSION();
    }
}
