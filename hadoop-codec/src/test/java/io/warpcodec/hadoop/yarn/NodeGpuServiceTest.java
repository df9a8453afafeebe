package io.warpcodec.hadoop.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.serve.CommandSupervisor;
import io.warpcodec.serve.Supervisor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.service.Service.STATE;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NodeGpuServiceTest {
    private static final String PREFIX = NodeGpuService.PREFIX;
    private static final String OF_TASKS = "io.compression.codec.gpu.";
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final LogOfService log = new LogOfService();
    private final List<String> told = new ArrayList<>();
    private Supervisor supervisor;

    @BeforeEach
    void listen() {
        Logger.getLogger(NodeGpuService.class).addAppender(log);
        Logger.getLogger(NodeGpuService.class).setAdditivity(false);
        Logger.getLogger(Supervisor.class).setLevel(Level.OFF);
    }

    @AfterEach
    void end() {
        Logger.getLogger(NodeGpuService.class).removeAppender(log);
        Logger.getLogger(NodeGpuService.class).setAdditivity(true);
        Logger.getLogger(Supervisor.class).setLevel(null);
        if (supervisor != null) {
            supervisor.close();
        }
    }

    @Test
    void theServiceIsToldWhatTheConfigurationSetsAndNothingElse() {
        Configuration conf = new Configuration(false);
        conf.set(PREFIX + "node.folder", "/run/gpus");
        conf.set(PREFIX + "node.group", "hadoop");
        conf.set(PREFIX + "devices", " 0,1 ");
        conf.set(PREFIX + "pinned.max", "8g");
        conf.set(PREFIX + "memory.max", "2g");
        conf.set(PREFIX + "batch.size", "16m");
        conf.set(PREFIX + "batch.linger", "200us");
        conf.set(PREFIX + "mode", "gpu");
        // what is for tasks, which yarn-site.xml reaches too
        conf.set(OF_TASKS + "node.folder", "/run/others");
        conf.set(OF_TASKS + "node.users", "yarn");
        conf.set("io.compression.codecs", "io.warpcodec.hadoop.GpuLz4Codec");
        running("exec cat", conf).stop();
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "node.folder=/run/gpus",
                        "node.group=hadoop",
                        "devices=0,1",
                        "pinned.max=8g",
                        "memory.max=2g",
                        "batch.size=16m",
                        "batch.linger=200us");
        told.clear();
        Configuration ofTasks = new Configuration(false);
        ofTasks.set(OF_TASKS + "node.folder", "/run/gpus");
        ofTasks.set(OF_TASKS + "devices", "node");
        ofTasks.set(OF_TASKS + "pinned.max", "64m");
        running("exec cat", ofTasks).stop();
        assertThat(told).containsExactly("node.folder=/run/gpus");
        told.clear();
        running("exec cat", new Configuration(false)).stop();
        assertThat(told).isEmpty();
    }

    @Test
    void theProcessRunsAsLongAsTheNodeManager() throws Exception {
        NodeGpuService service = running("exec cat", new Configuration(false));
        Process process = process();
        assertThat(process.isAlive()).isTrue();
        assertThat(service.getName()).isEqualTo("warpcodec");
        assertThat(service.getMetaData().remaining()).isZero();
        service.initializeApplication(null);
        service.stopApplication(null);
        assertThat(process.isAlive()).isTrue();
        service.stop();
        assertThat(process.isAlive()).isFalse();
        assertThat(supervisor.awaitEnd()).isZero();
        awaitLastLine();
        assertThat(log.lines).isEmpty();
    }

    @Test
    void aProcessThatDiesStartsAgainAndNothingIsSaid() throws Exception {
        try (NodeGpuService service = running("exec cat", new Configuration(false))) {
            Process first = process();
            first.destroyForcibly().waitFor();
            await(() -> supervisor.process() != first);
            assertThat(process().isAlive()).isTrue();
            assertThat(service.getServiceState()).isEqualTo(STATE.STARTED);
        }
        awaitLastLine();
        assertThat(log.lines).isEmpty();
    }

    @Test
    void aMachineWithoutGpusHasANodeManagerAllTheSame() throws Exception {
        try (NodeGpuService service = running("exit 78", new Configuration(false))) {
            await(() -> !log.lines.isEmpty());
            assertThat(service.getServiceState()).isEqualTo(STATE.STARTED);
            assertThat(supervisor.awaitEnd()).isEqualTo(78);
        }
        assertThat(log.lines).singleElement().asString().contains("no GPU");
    }

    /** The product's own process, which refuses before it looks for devices. */
    @Test
    void aSettingThatCannotBeUsedIsNoReasonNotToStart() throws Exception {
        Configuration conf = new Configuration(false);
        conf.set(PREFIX + "node.folder", "none");
        try (NodeGpuService service = new NodeGpuService()) {
            service.init(conf);
            service.start();
            await(() -> !log.lines.isEmpty());
            assertThat(service.getServiceState()).isEqualTo(STATE.STARTED);
        }
        assertThat(log.lines).singleElement().asString().contains("a setting cannot be read");
    }

    @Test
    void aProcessThatCannotBeMadeIsNoReasonNotToStart() throws Exception {
        NodeGpuService noProgram =
                new NodeGpuService(settings -> supervise(CommandSupervisor.start(List.of("/no/such/program"))));
        try (noProgram) {
            noProgram.init(new Configuration(false));
            noProgram.start();
            await(() -> !log.lines.isEmpty());
            assertThat(noProgram.getServiceState()).isEqualTo(STATE.STARTED);
        }
        assertThat(log.lines).singleElement().asString().contains("status 1");
        log.lines.clear();
        NodeGpuService noClass = new NodeGpuService(settings -> {
            throw new NoClassDefFoundError("io/warpcodec/serve/Supervisor");
        });
        try (noClass) {
            noClass.init(new Configuration(false));
            noClass.start();
            assertThat(noClass.getServiceState()).isEqualTo(STATE.STARTED);
        }
        assertThat(log.lines).singleElement().asString().contains("not served");
    }

    @Test
    void aServiceThatNeverStartedStops() {
        NodeGpuService service = new NodeGpuService();
        service.init(new Configuration(false));
        service.stop();
        assertThat(service.getServiceState()).isEqualTo(STATE.STOPPED);
        assertThat(service.getFailureCause()).isNull();
    }

    /** A service whose process is a line of the shell. */
    private NodeGpuService running(String line, Configuration conf) {
        NodeGpuService service = new NodeGpuService(settings -> {
            told.addAll(settings);
            return supervise(CommandSupervisor.startShell(line));
        });
        service.init(conf);
        service.start();
        return service;
    }

    private Supervisor supervise(Supervisor started) {
        supervisor = started;
        return started;
    }

    private Process process() throws InterruptedException {
        await(() -> supervisor.process() != null);
        return supervisor.process();
    }

    /** Until the service's thread, which has the last word, has ended. */
    private static void awaitLastLine() throws InterruptedException {
        await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("warpcodec service")));
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + MOST_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("awaited").isLessThan(end);
            Thread.sleep(10);
        }
    }

    /** What the service says as WARN or worse. */
    private static final class LogOfService extends AppenderSkeleton {
        private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

        @Override
        protected void append(LoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                lines.add(event.getRenderedMessage());
            }
        }

        @Override
        public void close() {
            lines.clear();
        }

        @Override
        public boolean requiresLayout() {
            return false;
        }
    }
}
