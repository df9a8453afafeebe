package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.file.system.FileAttributes;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls that are stopped before each access to a file system, and halfway through each that has parts, while the
 * process gets TERM or KILL. A build takes every n-th case on local files;
 * {@code -Dwarpcodec.test.publishing.stride=1} takes all, on all file systems.
 */
class KilledCallsTest {

    private static final int STRIDE = Integer.getInteger(
            "warpcodec.test.killed.stride", Integer.getInteger("warpcodec.test.publishing.stride", 199));

    /** So that the threads of one process need less than its heap. */
    private static final int CASES_PER_PROCESS = 120;

    @TempDir
    Path folder;

    private final List<String> wrong = new ArrayList<>();
    private int cases;
    private int processes;

    @BeforeAll
    static void addFileSystem() {
        Configuration.addDefaultResource("publishing-harness.xml");
    }

    @AfterEach
    void release() {
        SteppedFiles.release();
    }

    /** One call that is to be stopped. */
    private record Case(Scenario scenario, int stop, boolean halfway) {
        @Override
        public String toString() {
            return scenario.label() + ", " + (halfway ? "halfway through " : "before ") + stop;
        }
    }

    private void kill(String place, List<Case> all, boolean forcibly) throws IOException, InterruptedException {
        List<Case> chosen = new ArrayList<>();
        for (int i = forcibly ? 0 : STRIDE / 2; i < all.size(); i += STRIDE) {
            chosen.add(all.get(i));
        }
        for (int from = 0; from < chosen.size(); from += CASES_PER_PROCESS) {
            String group = place + (forcibly ? "/kill-" : "/term-") + from;
            killAll(group, chosen.subList(from, Math.min(chosen.size(), from + CASES_PER_PROCESS)), forcibly);
        }
    }

    private static List<Case> enumerate(String place) throws IOException {
        List<Case> cases = new ArrayList<>();
        for (Scenario scenario : Scenario.all()) {
            List<PublishingHarness.Recorded> steps =
                    harness(place + "/recorded").record(scenario);
            for (int i = 0; i < steps.size(); i++) {
                cases.add(new Case(scenario, i, false));
                if (steps.get(i).step().half() != null) {
                    cases.add(new Case(scenario, i, true));
                }
            }
        }
        return cases;
    }

    private static PublishingHarness harness(String uri) throws IOException {
        Arena<?> arena = Arena.at(uri);
        FileAttributes attributes = arena.attributesWith(PosixFilePermissions.fromString("rw-r-----"), List.of());
        return new PublishingHarness(
                arena,
                attributes,
                new PublishingHarness.Watch() {
                    @Override
                    public String glance() {
                        return null;
                    }

                    @Override
                    public String inspect() throws IOException {
                        return arena.widerThan(attributes);
                    }
                },
                0);
    }

    private void killAll(String group, List<Case> chosen, boolean forcibly) throws IOException, InterruptedException {
        List<PublishingHarness> harnesses = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of(group));
        for (Case each : chosen) {
            PublishingHarness harness = harness(group + "/case-" + harnesses.size());
            harness.setUp(each.scenario());
            harnesses.add(harness);
            words.addAll(List.of(each.scenario().label(), "" + each.stop(), each.halfway() ? "halfway" : "before"));
        }
        int exit = runUntilKilled(words, forcibly);
        assertThat(exit).isEqualTo(forcibly ? 137 : 143);
        processes++;
        for (int i = 0; i < chosen.size(); i++) {
            cases++;
            String title = group + "/case-" + i + ": " + chosen.get(i);
            harnesses.get(i).check(title, chosen.get(i).scenario(), exit);
            wrong.addAll(harnesses.get(i).wrong());
        }
    }

    private static int runUntilKilled(List<String> words, boolean forcibly) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseTransparentHugePages",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xss512k",
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                KilledProcess.class.getName()));
        command.addAll(words);
        Process process =
                new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        try (BufferedReader out = process.inputReader()) {
            String line;
            do {
                line = out.readLine();
            } while (line != null && !line.equals(KilledProcess.READY));
            if (forcibly) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
        }
        if (!process.waitFor(300, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return process.waitFor();
    }

    private void report(String name) {
        System.out.println("killed calls, " + name + ": " + cases + " in " + processes + " processes (every " + STRIDE
                + "), " + wrong.size() + " wrong");
        assertThat(wrong).isEmpty();
        assertThat(cases).isPositive();
    }

    private void killBothWays(String name, String place) throws IOException, InterruptedException {
        List<Case> all = enumerate(place);
        kill(place, all, true);
        kill(place, all, false);
        report(name);
    }

    @Test
    void localFiles() throws Exception {
        killBothWays("local", Files.createDirectory(folder.resolve("local")).toString());
    }

    @Test
    @EnabledIfSystemProperty(named = "warpcodec.test.publishing.stride", matches = "1")
    void aFileSystemWhoseRenameIsACopy() throws Exception {
        killBothWays("copying", CopyRenameFileSystem.SCHEME + "://" + Files.createDirectory(folder.resolve("copying")));
    }

    @Test
    @EnabledIfSystemProperty(named = "warpcodec.test.publishing.stride", matches = "1")
    void hdfs() throws Exception {
        Configuration conf = new Configuration();
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.resolve("hdfs").toString());
        try (MiniDFSCluster cluster =
                new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
            cluster.waitClusterUp();
            killBothWays("hdfs", cluster.getURI() + "/killed");
        }
    }
}
