package io.warpcodec.docs;

import io.warpcodec.Version;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A reader's machine as the pages suppose it, in a folder of the test. This build is {@code /opt/warpcodec}, with the
 * jars of a release. Spark and Hadoop are the jars that they have by themselves, with thin scripts as their commands.
 * The reader's own job is there too.
 */
final class Installation {

    /** The version that pages call VERSION. */
    static final String VERSION = "0.0.0";

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path ALL_JAR = jar("all");
    private static final Path HADOOP_ALL_JAR = jar("hadoop-all");

    /** JVMs of a few seconds: what makes them end sooner. */
    private static final String QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+UseTransparentHugePages";

    private final Path folder;

    private Installation(Path folder) {
        this.folder = folder;
    }

    /** A jar as a release has it. */
    static Path jar(String module) {
        return ROOT.resolve(module + "/target/warpcodec-" + module + "-" + Version.text() + ".jar");
    }

    /** Replaces what an earlier run left in the folder. */
    static Installation in(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Installation made = new Installation(folder);
        made.warpcodec();
        made.spark();
        made.hadoop();
        return made;
    }

    private void warpcodec() throws IOException {
        Path home = Files.createDirectories(folder.resolve("warpcodec"));
        script(
                Files.createDirectories(home.resolve("bin")).resolve("warpcodec"),
                "exec '" + ROOT.resolve("bin/warpcodec") + "' \"$@\"");
        Path jars = Files.createDirectories(home.resolve("jars"));
        link(jars.resolve("warpcodec-all-" + VERSION + ".jar"), ALL_JAR);
        link(jars.resolve("warpcodec-hadoop-all-" + VERSION + ".jar"), HADOOP_ALL_JAR);
    }

    private void spark() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("spark/jars"));
        linkClassPathOf("warpcodec.test.docs.spark", jars);
        Path conf = Files.createDirectories(folder.resolve("spark/conf"));
        Files.writeString(conf.resolve("log4j2.properties"), """
                rootLogger.level = warn
                rootLogger.appenderRef.err.ref = err
                appender.err.type = Console
                appender.err.name = err
                appender.err.target = SYSTEM_ERR
                """);
        commandOf("spark", "spark-submit");
    }

    private void hadoop() throws IOException {
        linkClassPathOf(
                "warpcodec.test.docs.hadoop",
                Files.createDirectories(folder.resolve("hadoop/share/hadoop/common/lib")));
        Path mapreduce = Files.createDirectories(folder.resolve("hadoop/share/hadoop/mapreduce"));
        try (var jars = Files.newDirectoryStream(Path.of("target/mapreduce"), "*.jar")) {
            for (Path jar : jars) {
                link(mapreduce.resolve(jar.getFileName()), jar.toAbsolutePath());
            }
        }
        Files.createDirectories(folder.resolve("hadoop/etc/hadoop"));
        commandOf("hadoop", "hadoop");
    }

    /** The jars that the host of a property has by itself, as a class path. */
    static String classPathOf(String property) throws IOException {
        return Files.readString(Path.of("hosts", System.getProperty(property), "target/class-path"))
                .strip();
    }

    /** Links the jars of a host, and nothing else, into a folder. */
    private static void linkClassPathOf(String property, Path jars) throws IOException {
        for (String jar : classPathOf(property).split(":")) {
            Path file = Path.of(jar);
            link(jars.resolve(file.getFileName()), file);
        }
    }

    /** A scratch folder for one page, with what its commands expect in the folder where a reader types them. */
    Path scratchFolder(String page) throws IOException {
        Path scratch = Files.createDirectories(folder.resolve("pages").resolve(page));
        Files.createDirectory(scratch.resolve("tmp"));
        // README's commands are typed in a clone.
        link(scratch.resolve("bin"), folder.resolve("warpcodec/bin"));
        try (OutputStream file = Files.newOutputStream(scratch.resolve("your-job.jar"));
                JarOutputStream jar = new JarOutputStream(file)) {
            for (String name : List.of("com/example/Job.class", "com/example/HiveSession.class")) {
                jar.putNextEntry(new JarEntry(name));
                jar.write(Installation.class.getResourceAsStream("/" + name).readAllBytes());
            }
        }
        publish(scratch.resolve(".m2/repository"));
        return scratch;
    }

    /**
     * Lays the release into a repository of files where Spark looks first, as the release's own: one jar and a pom
     * without dependencies.
     */
    private static void publish(Path repository) throws IOException {
        Path place = Files.createDirectories(repository.resolve("io/warpcodec/warpcodec-all/" + VERSION));
        link(place.resolve("warpcodec-all-" + VERSION + ".jar"), ALL_JAR);
        Files.writeString(
                place.resolve("warpcodec-all-" + VERSION + ".pom"),
                "<project><modelVersion>4.0.0</modelVersion><groupId>io.warpcodec</groupId><artifactId>warpcodec-all</artifactId><version>"
                        + VERSION + "</version></project>\n");
    }

    /** The command that runs statements in the reader's Hive session. */
    static String hiveSession(String statements) {
        return "cat >tmp/statements.sql <<'@@@@'\n" + statements + "@@@@\n"
                + "spark-submit --jars /opt/warpcodec/jars/warpcodec-all-VERSION.jar"
                + " --conf spark.hadoop.io.compression.codecs=io.warpcodec.hadoop.GpuZstdCodec"
                + " --class com.example.HiveSession your-job.jar tmp/statements.sql";
    }

    /** What a page says, with what it means here. */
    String atHome(String commands) {
        return commands.replace("/opt/warpcodec", folder.resolve("warpcodec").toString())
                .replace("VERSION", VERSION);
    }

    Map<String, String> environment(Path scratch) {
        Map<String, String> values = new TreeMap<>();
        values.put(
                "PATH",
                String.join(
                        ":",
                        folder.resolve("warpcodec/bin").toString(),
                        folder.resolve("spark/bin").toString(),
                        folder.resolve("hadoop/bin").toString(),
                        System.getenv("PATH")));
        values.put("JAVA_HOME", System.getProperty("java.home"));
        values.put("HOME", scratch.toString());
        values.put("TMPDIR", scratch.resolve("tmp").toString());
        values.put("SPARK_HOME", folder.resolve("spark").toString());
        values.put("HADOOP_HOME", folder.resolve("hadoop").toString());
        // Else the launcher looks for a folder of a build.
        values.put("SPARK_SCALA_VERSION", scalaOf(System.getProperty("warpcodec.test.docs.spark")));
        values.put("SPARK_LOCAL_IP", "127.0.0.1");
        // The home folder is that of the password file unless this says so; --packages looks for .m2 there.
        values.put(
                "SPARK_SUBMIT_OPTS",
                QUICK + " -Dspark.ui.enabled=false -Dspark.sql.shuffle.partitions=2 -Duser.home=" + scratch);
        values.put("STAND_IN_OPTIONS", QUICK + " --add-opens=java.base/java.lang=ALL-UNNAMED");
        // The build that is tested is used as it lies there.
        values.put("WARPCODEC_BUILD", "no");
        // The launcher makes the archive of classes before the first command, for all pages, not behind a command that
        // has ended.
        values.put("WARPCODEC_CLASS_DATA", "make");
        values.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        values.put("WARPCODEC_JAVA_OPTIONS", QUICK);
        return values;
    }

    private static String scalaOf(String spark) {
        return spark.equals("spark-3.5") ? "2.12" : "2.13";
    }

    private void commandOf(String product, String name) throws IOException {
        Path bin = Files.createDirectories(folder.resolve(product).resolve("bin"));
        link(bin.resolve(name), Path.of("src/test/stand-ins").resolve(name).toAbsolutePath());
    }

    private static void link(Path name, Path target) throws IOException {
        if (!Files.exists(target)) {
            throw new IOException(
                    "no " + target + ": the pages are run behind the phase `package` of the other modules");
        }
        Files.deleteIfExists(name);
        Files.createSymbolicLink(name, target);
    }

    private static void script(Path file, String line) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + line + "\n");
        if (!file.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + file + " executable");
        }
    }
}
