package io.warpcodec.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import io.warpcodec.Format;
import io.warpcodec.cli.verb.SplitNotice;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code bin/warpcodec} as people call it: a process of its own, from anywhere. Runs on the build that is being tested.
 */
class LauncherIT {

    private static final Path LAUNCHER =
            Path.of("../bin/warpcodec").toAbsolutePath().normalize();

    private static final Path BASH = Path.of("/bin/bash");

    /** The cache folder in which the first call makes the archive of the build's classes that the others use. */
    @TempDir
    static Path cache;

    @TempDir
    Path folder;

    private record Finished(int exit, byte[] out, String err) {}

    /** With the archive of classes if it is the build that is called, from where it lies. */
    private Finished run(Path program, Path input, String... arguments) throws IOException, InterruptedException {
        boolean isOfTheBuild = program.equals(LAUNCHER) || program.equals(BASH);
        return run(isOfTheBuild ? "make" : "no", program, input, arguments);
    }

    private Finished run(String classData, Path program, Path input, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        Path out = folder.resolve("standard-output");
        Path err = folder.resolve("standard-error");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(
                        input == null ? Redirect.from(Path.of("/dev/null").toFile()) : Redirect.from(input.toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        // This is a test of the jars that lie there, not a reason to build them again.
        builder.environment().put("WARPCODEC_BUILD", "no");
        // Nothing goes on behind a call.
        builder.environment().put("WARPCODEC_CLASS_DATA", classData);
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        // A call is over before the second compiler pays.
        builder.environment().put("WARPCODEC_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        assertThat(process.waitFor(300, SECONDS)).isTrue();
        return new Finished(
                process.exitValue(), Files.readAllBytes(out), Files.readString(err, StandardCharsets.UTF_8));
    }

    @Test
    void fileGoesThroughAPipeAndComesBack() throws Exception {
        byte[] raw = Samples.text(400_000);
        Path plain = Files.write(folder.resolve("plain"), raw);
        Finished compress = run(LAUNCHER, plain, "compress", "--format", "zstd", "-");
        assertThat(compress.err()).isEmpty();
        assertThat(compress.exit()).isZero();
        Path compressed = Files.write(folder.resolve("compressed"), compress.out());
        Finished decompress = run(LAUNCHER, compressed, "decompress", "-");
        assertThat(decompress.err()).isEmpty();
        assertThat(decompress.out()).isEqualTo(raw);
    }

    /**
     * Each Java has warnings of its own, of native libraries for example: this looks for those of the Java that the
     * tests run on. A format's library is loaded by the first verb and the last. One format goes without an archive
     * of classes.
     */
    @ParameterizedTest
    @EnumSource(Format.class)
    void theJvmWarnsOfNothing(Format format) throws Exception {
        byte[] raw = Samples.text(100_000);
        Files.write(folder.resolve("plain"), raw);
        String name = "plain" + format.suffix();
        List<List<String>> verbs = new ArrayList<>();
        verbs.add(List.of("compress", "-k", "--format", format.word(), "plain"));
        if (format == Format.GZIP) {
            verbs.add(List.of("verify", "-q", name));
            verbs.add(List.of("info", name));
            verbs.add(List.of("recompress", "--format", format.word(), "-o", "again", name));
        }
        verbs.add(List.of("decompress", "-c", name));
        for (List<String> verb : verbs) {
            Finished finished = run(format == Format.GZIP ? "no" : "make", LAUNCHER, null, verb.toArray(String[]::new));
            assertThat(finished.err()).as("%s", verb).isEmpty();
            assertThat(finished.exit()).as("%s", verb).isZero();
        }
    }

    @Test
    void doctorMakesTheJvmWarnOfNothing() throws Exception {
        Finished doctor = run(LAUNCHER, null, "doctor");
        assertThat(doctor.err()).isEmpty();
        assertThat(doctor.exit()).isZero();
    }

    @Test
    void launcherIsFoundThroughARelativeLinkFromAnotherFolder() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path first = Files.createSymbolicLink(bin.resolve("direct"), LAUNCHER);
        Path second = Files.createSymbolicLink(bin.resolve("wc"), first.getFileName());
        Files.write(folder.resolve("lines"), Samples.text(1_000));
        assertThat(run(second, null, "compress", "lines").exit()).isZero();
        assertThat(run(second, null, "verify", "lines.gz").exit()).isZero();
    }

    @Test
    void launcherIsFoundWhereItsFolderIsALink() throws Exception {
        Path bin = Files.createSymbolicLink(folder.resolve("mybin"), LAUNCHER.getParent());
        Path deeper = Files.createSymbolicLink(
                Files.createDirectories(folder.resolve("x/y")).resolve("b"), Path.of("../../mybin"));
        for (Path each : List.of(bin, deeper)) {
            Finished version = run(each.resolve("warpcodec"), null, "--version");
            assertThat(version.err()).isEmpty();
            assertThat(version.exit()).isZero();
        }
    }

    @Test
    void aMissingLibraryIsNamed() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("installed/bin"));
        Finished version = run(Files.copy(LAUNCHER, bin.resolve("warpcodec")), null, "--version");
        assertThat(version.exit()).isEqualTo(1);
        assertThat(version.err().lines()).singleElement().asString().contains("no jars in ", "installed/lib");
        Path installed = install(folder.resolve("other"));
        Files.delete(folder.resolve("other/lib").resolve(Path.of(firstJar()).getFileName()));
        Finished without = run("make", installed, null, "--version");
        assertThat(without.exit()).isEqualTo(1);
        assertThat(without.err()).contains("io.warpcodec.cli.Main");
    }

    /** The JVM's own files would have the numbers of closed streams. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "compress - <&-",
                "decompress - <&-",
                "-c plain >&-",
                "compress - <&- 2>&-",
                "-c plain >&- 2>&-",
                "-c plain <&- >&- 2>&-"
            })
    void aClosedStreamIsRefused(String call) throws Exception {
        Files.write(folder.resolve("plain"), Samples.text(1_000));
        Finished closed = bash("$warpcodec " + call + "; exit $?");
        assertThat(closed.exit()).isEqualTo(1);
        assertThat(closed.out()).hasSizeLessThan(100);
        if (!call.contains("2>&-")) {
            assertThat(closed.err()).containsIgnoringCase("bad file descriptor");
        }
        assertThat(bash("$warpcodec -k plain <&- >&- 2>&- && $warpcodec -t plain.gz <&-")
                        .exit())
                .isZero();
    }

    /** What waits for the tool sees the signal, and not an exit status. */
    @Test
    void aReaderThatLeavesEndsTheToolByItsSignal() throws Exception {
        Files.write(folder.resolve("big"), Samples.text(3_000_000));
        Files.write(folder.resolve("second"), Samples.text(100));
        Finished run = bash("tar --version >/dev/null || exit 77; tar cf x.tar big second && $warpcodec -k x.tar"
                + " && tar -I $warpcodec -tf x.tar.gz --occurrence=1 big");
        Assumptions.assumeTrue(run.exit() != 77, "there is no tar");
        assertThat(run.err()).isEmpty();
        assertThat(run.exit()).isZero();
        assertThat(run.out()).asString(StandardCharsets.UTF_8).isEqualTo("big\n");
    }

    @Test
    void aHostThatDoesNotExistIsToldInOneLine() throws Exception {
        Finished run = run(LAUNCHER, null, "-k", "hdfs://no-such-host.invalid/x");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err().lines()).singleElement().asString().contains("no-such-host");
    }

    @Test
    void exitCodesReachTheShell() throws Exception {
        Path bad = Files.write(folder.resolve("bad.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0});
        Finished corrupt = run(LAUNCHER, null, "verify", bad.toString());
        assertThat(corrupt.exit()).isEqualTo(2);
        assertThat(corrupt.err().lines()).hasSize(1);
        assertThat(run(LAUNCHER, null, "verify", "absent").exit()).isEqualTo(1);
        assertThat(run(LAUNCHER, null, "nonsense").exit()).isEqualTo(1);
        assertThat(run(LAUNCHER, null, "--help").exit()).isZero();
    }

    /** Runs a script of bash in the folder, which knows the launcher as $warpcodec. */
    private Finished bash(String script) throws IOException, InterruptedException {
        return run(BASH, null, "-c", "warpcodec='" + LAUNCHER + "'; " + script);
    }

    /** With a JVM that prints what the driver would find in the environment. */
    @Test
    void theDriverMakesAsManyQueuesAsAVerbHasStreamsFor() throws Exception {
        String call = "WARPCODEC_CLASS_DATA=no JAVA_HOME=$PWD/jvm \"$warpcodec\" ";
        Finished queues = bash("mkdir -p jvm/bin; echo 'JAVA_VERSION=\"17.0.1\"' >jvm/release; "
                + "printf '#!/bin/sh\\necho $CUDA_DEVICE_MAX_CONNECTIONS\\n' >jvm/bin/java; chmod +x jvm/bin/java; "
                + call + "compress name; " + call + "-d name; " + call + "serve; "
                + "CUDA_DEVICE_MAX_CONNECTIONS=7 " + call + "verify name");
        assertThat(queues.err()).isEmpty();
        assertThat(queues.out()).asString(StandardCharsets.UTF_8).isEqualTo("4\n4\n32\n7\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"with space", ": a:b "})
    void aBuildRunsFromAnyFolder(String name) throws Exception {
        // The launcher finds the build beside itself, here through links.
        Path root = Files.createDirectories(folder.resolve(name));
        Files.createDirectory(root.resolve("bin"));
        Files.createDirectory(root.resolve("cli"));
        Path moved = Files.copy(LAUNCHER, root.resolve("bin/warpcodec"));
        Files.createSymbolicLink(root.resolve("cli/target"), Path.of("target").toAbsolutePath());
        Path plain = Files.write(folder.resolve("plain"), Samples.text(1_000));
        Finished compress = run(moved, plain, "compress", "--format", "zstd", "-");
        assertThat(compress.err()).isEmpty();
        assertThat(compress.exit()).isZero();
        if (name.contains(":")) {
            Finished classpath = run(moved, null, "classpath");
            assertThat(classpath.exit()).isEqualTo(1);
            assertThat(classpath.err().lines()).singleElement().asString().contains("has a colon in it: move it");
        }
    }

    @Test
    void aBuildHoldsAllItsJars() throws Exception {
        Path target = Path.of("target").toRealPath();
        String names = Files.readString(target.resolve("classpath/tool")).trim();
        assertThat(names.split(":")).allSatisfy(name -> {
            assertThat(name).startsWith("lib/");
            assertThat(target.resolve(name)).isRegularFile();
        });
    }

    @Test
    void theToolCarriesNoLibraryOfTests() throws Exception {
        Finished classpath = run(LAUNCHER, null, "classpath");
        assertThat(new String(classpath.out(), StandardCharsets.UTF_8).trim().split(":"))
                .allSatisfy(jar -> assertThat(Path.of(jar).getFileName().toString())
                        .doesNotContainPattern(
                                "junit|mockito|byte-buddy|opentest4j|-tests|minicluster|spark-[a-z]+_|scala-"));
    }

    /** Lays the build out as the tarball does, by links. */
    private Path install(Path root) throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("bin"));
        Files.createDirectories(root.resolve("lib"));
        for (String name :
                Files.readString(Path.of("target/classpath/tool")).trim().split(":")) {
            Files.createSymbolicLink(root.resolve(name), Path.of("target", name).toAbsolutePath());
        }
        Files.createSymbolicLink(
                root.resolve("lib/hadoop"), Path.of("target/lib/hadoop").toAbsolutePath());
        Path tool = Path.of(firstJar());
        Files.createSymbolicLink(root.resolve("lib").resolve(tool.getFileName()), tool);
        return Files.copy(LAUNCHER, root.resolve("bin/warpcodec"));
    }

    @Test
    void anInstallationWithoutTheDemoSaysHowToGetIt() throws Exception {
        Finished demo = run(install(folder.resolve("installed")), null, "demo");
        assertThat(demo.exit()).isEqualTo(1);
        assertThat(demo.err().lines()).singleElement().asString().contains("the demo is not part of this installation");
    }

    @Test
    void anInstallationRunsFromAFolderWithSpacesAndColons() throws Exception {
        Path installed = install(folder.resolve(" a:b c"));
        Path plain = Files.write(folder.resolve("plain"), Samples.text(1_000));
        Finished compress = run(installed, plain, "compress", "--format", "zstd", "-");
        assertThat(compress.err()).isEmpty();
        assertThat(compress.exit()).isZero();
        Path compressed = Files.write(folder.resolve("compressed"), compress.out());
        assertThat(run(installed, compressed, "verify", "-").exit()).isZero();
    }

    @Test
    void classDataIsMadeOnceByCallsAtTheSameTimeAndUsed() throws Exception {
        Path log = folder.resolve("classes");
        Finished calls = bash("export XDG_CACHE_HOME=$PWD/cache WARPCODEC_CLASS_DATA=make;"
                + " for call in 1 2 3; do $warpcodec --version & done; wait;"
                + " WARPCODEC_JAVA_OPTIONS=-Xlog:class+load:file=" + log + " $warpcodec --version; ls cache/warpcodec");
        assertThat(calls.exit()).isZero();
        assertThat(calls.err()).isEmpty();
        assertThat(new String(calls.out(), StandardCharsets.UTF_8).lines())
                .filteredOn(line -> !line.startsWith("warpcodec "))
                .hasSize(3)
                .allMatch(name -> name.matches("[0-9]+\\.(jsa|key|lock)"));
        assertThat(Files.readAllLines(log))
                .anyMatch(line -> line.matches(".*io\\.warpcodec\\.cli\\.Main source: shared objects file.*"));
    }

    @Test
    void classDataThatDoesNotFitIsIgnoredWithoutAWord() throws Exception {
        Finished calls = bash(
                "export XDG_CACHE_HOME=$PWD/cache WARPCODEC_CLASS_DATA=make; $warpcodec --version > /dev/null || exit;"
                        + " archive=$(echo cache/warpcodec/*.jsa); chmod u+w $archive; head -c 5000 /dev/zero > $archive;"
                        + " printf hello | $warpcodec compress - | $warpcodec decompress -;"
                        + " WARPCODEC_JAVA_OPTIONS='-XX:ObjectAlignmentInBytes=16' $warpcodec --version > /dev/null || exit;"
                        + " rm -r cache; touch cache; $warpcodec --version > /dev/null");
        assertThat(calls.err()).isEmpty();
        assertThat(calls.exit()).isZero();
        assertThat(calls.out()).asString(StandardCharsets.UTF_8).isEqualTo("hello");
    }

    @Test
    void theVersionIsThatOfTheBuild() throws Exception {
        String jar = Path.of(firstJar()).getFileName().toString();
        assertThat(run(LAUNCHER, null, "--version").out())
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("warpcodec " + jar.replace("warpcodec-cli-", "").replace(".jar", "") + "\n");
    }

    /** The jar of the tool's own classes: the first on its class path. */
    private String firstJar() throws IOException, InterruptedException {
        String path = new String(run(LAUNCHER, null, "classpath").out(), StandardCharsets.UTF_8);
        return path.substring(0, path.indexOf(':'));
    }

    @Test
    void anotherUserRunsTheSameBuild() throws Exception {
        Path plain = Files.write(folder.resolve("plain"), Samples.text(1_000));
        Finished asNobody = bash("setpriv --reuid=65534 --regid=65534 --clear-groups true || exit 77; cd /;"
                + " setpriv --reuid=65534 --regid=65534 --clear-groups test -r $(dirname $warpcodec)/../cli/target/lib || exit 77;"
                + " HOME=/ setpriv --reuid=65534 --regid=65534 --clear-groups $warpcodec compress - < " + plain);
        Assumptions.assumeTrue(asNobody.exit() != 77, "this user may not become another one who may read the build");
        assertThat(asNobody.err()).isEmpty();
        assertThat(asNobody.exit()).isZero();
        Path compressed = Files.write(folder.resolve("compressed"), asNobody.out());
        assertThat(run(LAUNCHER, compressed, "verify", "-").exit()).isZero();
    }

    @Test
    void aNameThatIsNotAsciiWorksInTheLocaleThatCronHas() throws Exception {
        Finished compress = bash("export LC_ALL=POSIX; printf hello > $'caf\\303\\251';"
                + " $warpcodec compress $'caf\\303\\251' && $warpcodec decompress -c $'caf\\303\\251.gz'");
        assertThat(compress.err()).isEmpty();
        assertThat(compress.exit()).isZero();
        assertThat(compress.out()).asString(StandardCharsets.UTF_8).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POSIX", "C.UTF-8"})
    void aNameThatIsNotUtf8IsRefusedAndTheMessageSaysHowToGoOn(String locale) throws Exception {
        // The first name would be taken for the second.
        Finished run =
                bash("export LC_ALL=" + locale + "; printf latin > $'caf\\351'; printf other > $'caf\\357\\277\\275';"
                        + " $warpcodec compress $'caf\\351'; code=$?; [ -f $'caf\\351' ] && [ -f $'caf\\357\\277\\275' ] || exit 50;"
                        + " $warpcodec compress - < $'caf\\351' | $warpcodec decompress -; exit $code");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err().lines())
                .singleElement()
                .asString()
                .contains("this name is not in UTF-8")
                .contains("- < FILE");
        assertThat(run.out()).asString(StandardCharsets.UTF_8).isEqualTo("latin");
    }

    @Test
    void aFullStandardOutputReachesTheShell() throws Exception {
        Finished run = bash("$warpcodec --version > /dev/full");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.err()).contains("(standard output): cannot be written");
    }

    @Test
    void classpathRunsAHadoopClientWithOurCodecs() throws Exception {
        Finished classpath = run(LAUNCHER, null, "classpath");
        assertThat(classpath.exit()).isZero();
        String path = new String(classpath.out(), StandardCharsets.UTF_8).trim();
        assertThat(path.lines()).hasSize(1);

        byte[] raw = Samples.text(50_000);
        Path plain = Files.write(folder.resolve("plain"), raw);
        Path compressed = Files.write(
                folder.resolve("lines.gz"),
                run(LAUNCHER, plain, "compress", "-").out());
        // FsShell insists on a core-site.xml, as every Hadoop installation has one.
        Files.writeString(
                folder.resolve("core-site.xml"),
                "<configuration><property><name>io.compression.codecs</name>"
                        + "<value>io.warpcodec.hadoop.GpuGzipCodec</value></property></configuration>");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Finished text = run(
                java,
                null,
                "-cp",
                path + ":" + folder,
                "org.apache.hadoop.fs.FsShell",
                "-text",
                compressed.toUri().toString());
        assertThat(text.exit()).as(text.err()).isZero();
        assertThat(text.out()).isEqualTo(raw);
    }

    @Test
    void hdfsPathsWorkAsLocalOnesDo() throws Exception {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        try (MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            cluster.waitClusterUp();
            FileSystem hdfs = cluster.getFileSystem();
            byte[] raw = Samples.text(700_000);
            org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(cluster.getURI() + "/lines");
            org.apache.hadoop.fs.Path compressed = new org.apache.hadoop.fs.Path(cluster.getURI() + "/lines.bz2");
            try (var out = hdfs.create(file)) {
                out.write(raw);
            }
            Finished compress = run(LAUNCHER, null, "compress", "--format", "bzip2", file.toString());
            assertThat(compress.err()).isEmpty();
            assertThat(hdfs.exists(file)).isFalse();
            assertThat(hdfs.listStatus(new org.apache.hadoop.fs.Path("/"))).hasSize(1);
            Finished decompress = run(LAUNCHER, null, "decompress", "-c", compressed.toString());
            assertThat(decompress.out()).isEqualTo(raw);
            try (var out = hdfs.create(new org.apache.hadoop.fs.Path("/tree/deep/lines.bz2"));
                    var in = hdfs.open(compressed)) {
                in.transferTo(out);
            }
            Finished recompress = run(LAUNCHER, null, "recompress", "--format", "zstd", cluster.getURI() + "/tree");
            assertThat(recompress.err()).isEmpty();
            assertThat(hdfs.exists(new org.apache.hadoop.fs.Path("/tree/deep/lines.bz2")))
                    .isFalse();
            org.apache.hadoop.fs.Path rewritten = new org.apache.hadoop.fs.Path("/tree/deep/lines.zst");
            try (InputStream in = new ZstdInputStream(hdfs.open(rewritten)).setContinuous(false)) {
                assertThat(in.readAllBytes()).isEqualTo(raw);
            }
            try (var out = new GZIPOutputStream(hdfs.create(new org.apache.hadoop.fs.Path("/tree/plain.gz")))) {
                out.write(raw);
            }
            Finished index = run(LAUNCHER, null, "index", "--spacing", "20000", cluster.getURI() + "/tree");
            assertThat(index.err()).isEqualTo("warpcodec: " + SplitNotice.TEXT + "\n");
            assertThat(hdfs.exists(new org.apache.hadoop.fs.Path("/tree/.plain.gz.wci")))
                    .isTrue();
            Finished absent = run(LAUNCHER, null, "verify", file.toString());
            assertThat(absent.exit()).isEqualTo(1);
            assertThat(absent.err()).isEqualTo("warpcodec: " + file + ": no such file\n");
        }
    }
}
