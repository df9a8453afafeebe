package io.warpcodec.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.engine.gpu.node.ScriptedNode;
import io.warpcodec.engine.gpu.scripted.ScriptedGpu;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.junit.jupiter.api.Test;

class ServiceBeanTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    private static ObjectName name(Path folder) throws Exception {
        return new ObjectName("io.warpcodec:type=NodeService,folder=\"" + folder + "\"");
    }

    /** Through what a console sees: open types alone. */
    @Test
    void figuresAreReadThroughJmx() throws Exception {
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                ServiceBean bean =
                        ServiceBean.register(node.node().service(), node.node().folder())) {
            ObjectName name = name(node.node().folder());
            assertThat(bean).hasToString("bean " + name);
            assertThat(server.getAttribute(name, "ClientCount")).isEqualTo(1);
            assertThat(server.getAttribute(name, "Done")).isEqualTo(0L);
            assertThat(((TabularData) server.getAttribute(name, "ClientsNotServed")).isEmpty())
                    .isTrue();
            CompositeData[] clients = (CompositeData[]) server.getAttribute(name, "Clients");
            assertThat(clients).hasSize(1);
            assertThat(clients[0].get("name")).asString().startsWith("process ");
            assertThat(clients[0].get("user")).isEqualTo(System.getProperty("user.name"));
            for (var attribute : server.getMBeanInfo(name).getAttributes()) {
                assertThat(server.getAttribute(name, attribute.getName()))
                        .as(attribute.getName())
                        .isNotNull();
            }
            // and a reserve
            assertThat(server.getAttribute(name, "MostMemoryBytes"))
                    .isEqualTo(9L * ScriptedGpu.smallLimits().pinnedMaxBytes());
            String[] all = Stream.of(server.getMBeanInfo(name).getAttributes())
                    .map(MBeanAttributeInfo::getName)
                    .toArray(String[]::new);
            assertThat(server.getAttributes(name, all).asList())
                    .extracting(Attribute::getName)
                    .containsExactly(all);
            assertThatThrownBy(() -> server.getAttribute(name, "Doen")).isInstanceOf(AttributeNotFoundException.class);
        }
    }

    @Test
    void theBeanIsThereAsLongAsTheServiceIsServed() throws Exception {
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits());
                PipedOutputStream parent = new PipedOutputStream();
                InputStream input = new PipedInputStream(parent)) {
            Path folder = node.node().folder();
            assertThat(server.isRegistered(name(folder))).isFalse();
            CompletableFuture<Integer> status = new CompletableFuture<>();
            Thread serving = new Thread(() -> {
                try {
                    status.complete(ServeMain.serve(node.node().service(), folder, input));
                } catch (InterruptedException | RuntimeException failed) {
                    status.completeExceptionally(failed);
                }
            });
            serving.start();
            while (!server.isRegistered(name(folder)) && !status.isDone()) {
                Thread.sleep(1);
            }
            assertThat(server.isRegistered(name(folder))).isTrue();
            parent.close();
            assertThat(status.get(300, TimeUnit.SECONDS)).isZero();
            assertThat(server.isRegistered(name(folder))).isFalse();
        }
    }

    @Test
    void aSecondBeanOfAFolderDisturbsNothing() throws Exception {
        try (ScriptedNode node = ScriptedNode.open(1, ScriptedGpu.smallLimits())) {
            Path folder = node.node().folder();
            try (ServiceBean first = ServiceBean.register(node.node().service(), folder)) {
                ServiceBean.register(node.node().service(), folder).close();
                assertThat(server.isRegistered(name(folder))).as("%s", first).isTrue();
            }
            assertThat(server.isRegistered(name(folder))).isFalse();
        }
    }
}
