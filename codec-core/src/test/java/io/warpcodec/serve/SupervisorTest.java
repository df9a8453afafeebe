package io.warpcodec.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.device.node.NodeAddress;
import io.warpcodec.device.node.NodeProtocol;
import io.warpcodec.engine.gpu.NodeProbe;
import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import io.warpcodec.engine.gpu.node.ServedNode;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that serves and does not answer is ended, and another begins. */
class SupervisorTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long nowNanos;

    private AnswerWatch watch() {
        return new AnswerWatch(() -> null, 15 * SECOND, 1000, () -> nowNanos);
    }

    private static boolean isSilentAfter(SupervisorTest test, AnswerWatch watch, int looks, long stepNanos) {
        boolean silent = false;
        for (int look = 0; look < looks; look++) {
            test.nowNanos += stepNanos;
            silent = watch.isSilent();
        }
        return silent;
    }

    @Test
    void timeCountsFromTheFirstAnswerOn() {
        AnswerWatch watch = watch();
        assertThat(isSilentAfter(this, watch, 1000, SECOND)).isFalse();
        watch.answered();
        assertThat(isSilentAfter(this, watch, 31, SECOND)).isFalse();
        assertThat(isSilentAfter(this, watch, 1, SECOND)).isTrue();
        watch.answered();
        assertThat(isSilentAfter(this, watch, 1, SECOND)).isFalse();
    }

    @Test
    void aPauseOfThisProcessIsNoSilence() {
        AnswerWatch watch = watch();
        watch.answered();
        assertThat(isSilentAfter(this, watch, 20, 3600 * SECOND)).isFalse();
    }

    @Test
    void theProcessEndsWhereItsMemoryDoes() {
        assertThat(Supervisor.command(List.of("devices=0")))
                .contains("-XX:+ExitOnOutOfMemoryError")
                .endsWith("devices=0");
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void aServiceThatStandsStillIsEndedAndTheNextOneServes() throws Exception {
        Path folder = ServedNode.newFolder();
        List<String> command = List.of(
                "/bin/sh",
                "-c",
                "exec \"$@\" >/dev/null",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ScriptedServeMain.class.getName(),
                folder.toString(),
                "1",
                Integer.toString(24 << 20));
        try (Supervisor supervisor = Supervisor.start(command, 10, folder, SECOND, 100);
                NodeProbe probe = new NodeProbe(new NodeAddress(folder, Set.of()))) {
            awaitAnswer(probe);
            while (!Files.exists(folder.resolve(NodeProtocol.ANSWERED))) {
                Thread.sleep(10);
            }
            Process first = supervisor.process();
            signal(first, "STOP");
            assertThat(first.waitFor(120, TimeUnit.SECONDS)).isTrue();
            while (supervisor.process() == first) {
                Thread.sleep(10);
            }
            awaitAnswer(probe);
        } finally {
            try (Stream<Path> left = Files.walk(folder)) {
                left.sorted(Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            }
        }
    }

    private static void awaitAnswer(NodeProbe probe) throws InterruptedException {
        while (!probe.ask(SECOND)) {
            Thread.sleep(10);
        }
    }

    /** A process inside a call of the driver that does not return. */
    private static final class Unkillable extends Process {
        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            throw new AssertionError("it never ends");
        }

        @Override
        public int exitValue() {
            throw new IllegalThreadStateException();
        }

        @Override
        public void destroy() {}

        @Override
        public Process destroyForcibly() {
            return this;
        }

        @Override
        public long pid() {
            return 4711;
        }
    }

    @Test
    void oneThatCannotBeKilledIsFoundByNoClientAndItsFolderSaysSo(@TempDir Path folder) throws Exception {
        Path socket = Files.createFile(folder.resolve(NodeProtocol.SOCKET));
        assertThat(Supervisor.kill(new Unkillable(), folder, 10)).isFalse();
        assertThat(socket).doesNotExist();
        assertThat(folder.resolve(NodeProtocol.STUCK)).hasContent("4711");
    }
}
