package io.warpcodec.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.warpcodec.NodeSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.k8s.KubernetesConf;
import org.apache.spark.deploy.k8s.SparkPod;
import org.apache.spark.internal.config.package$;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.scheduler.cluster.k8s.KubernetesExecutorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The Kubernetes example holds only fields that Kubernetes has, and Spark makes the pods of it that its comments
 * promise.
 */
class KubernetesTest {

    private static final long MIB = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"executor-pod.yaml", "service-account.yaml", "doctor.yaml", "node-service.yaml"})
    void hasOnlyFieldsThatKubernetesKnows(String file) {
        assertThat(unknownFields(ComposeTest.read("kubernetes/" + file))).isEmpty();
    }

    @Test
    void aFieldThatKubernetesDoesNotKnowIsSeen() {
        String wrong = ComposeTest.read("kubernetes/executor-pod.yaml").replace("mountPath:", "mountpath:");
        assertThat(unknownFields(wrong)).containsExactly("mountpath");
    }

    @Test
    void eachExecutorGetsOneGpu() throws IOException {
        SparkPod executor = executor();
        assertThat(executor.container().getResources().getLimits().get("nvidia.com/gpu"))
                .isEqualTo(new Quantity("1"));
        assertThat(executor.pod().getSpec().getTolerations())
                .anySatisfy(each -> assertThat(each.getKey()).isEqualTo("nvidia.com/gpu"));
        assertThat(environment(executor.container())).containsEntry("CUDA_DEVICE_MAX_CONNECTIONS", "32");
    }

    @Test
    void theTemplateMovesTheCacheOfTheDriverIntoAVolume() throws IOException {
        Container container = executor().container();
        String cache = environment(container).get("CUDA_CACHE_PATH");
        assertThat(cache).isNotNull();
        assertThat(container.getVolumeMounts())
                .anySatisfy(each -> assertThat(each.getMountPath()).isEqualTo(cache));
    }

    @Test
    void aPodHasMemoryForTheHeapForSparkAndForPagesThatAreLocked() throws Exception {
        SparkConf conf = conf();
        long heap = conf.getSizeAsBytes("spark.executor.memory");
        long spark = Math.max(heap / 10, 384 * MIB);
        var locked = Class.forName("io.warpcodec.engine.gpu.GpuEngine").getDeclaredField("DEFAULT_PINNED_BYTES");
        locked.setAccessible(true);
        BigDecimal limit =
                executor().container().getResources().getLimits().get("memory").getNumericalAmount();
        assertThat(limit).isGreaterThanOrEqualTo(BigDecimal.valueOf(heap + spark + locked.getLong(null)));
    }

    @Test
    void theTasksOfAnExecutorShareItsGpu() throws IOException {
        SparkConf conf = conf();
        assertThat(conf.getDouble("spark.task.resource.gpu.amount", 0) * conf.getInt("spark.executor.cores", 0))
                .isEqualTo(1);
    }

    @Test
    void theNodeServiceAndItsClientsMountItsFolderOfTheNodeAtTheSamePath() {
        String file = ComposeTest.read("kubernetes/node-service.yaml");
        DaemonSet service = (DaemonSet) resource(file);
        assertThat(service.getSpec().getTemplate().getMetadata().getLabels())
                .isEqualTo(service.getSpec().getSelector().getMatchLabels());
        PodSpec pod = service.getSpec().getTemplate().getSpec();
        assertThat(isReadOnly(pod, NodeSettings.DEFAULT_FOLDER)).isFalse();
        List<String> arguments = pod.getContainers().get(0).getArgs();
        assertThat(arguments).startsWith("tool", "serve");
        assertThat(pod.getContainers().get(0).getResources().getLimits())
                .containsEntry("nvidia.com/gpu", new Quantity("1"));
        String example = file.lines()
                .filter(line -> line.startsWith("#     "))
                .map(line -> line.substring("#     ".length()))
                .collect(Collectors.joining("\n"));
        assertThat(unknownFields(example)).isEmpty();
        PodSpec client = ((Pod) resource(example)).getSpec();
        // no pod can move the socket; memory is shared below it
        assertThat(isReadOnly(client, NodeSettings.DEFAULT_FOLDER)).isTrue();
        assertThat(isReadOnly(client, NodeSettings.DEFAULT_FOLDER + "/segments")).isFalse();
        assertThat(client.getSecurityContext().getRunAsNonRoot()).isTrue();
        long group = Long.parseLong(arguments.get(arguments.indexOf("--group") + 1));
        assertThat(client.getSecurityContext().getSupplementalGroups()).containsExactly(group);
    }

    /** How a pod mounts a folder of its node at the same path. */
    private static boolean isReadOnly(PodSpec pod, String folder) {
        String volume = pod.getVolumes().stream()
                .filter(each -> each.getHostPath() != null
                        && each.getHostPath().getPath().equals(folder))
                .findFirst()
                .orElseThrow()
                .getName();
        VolumeMount mount = pod.getContainers().get(0).getVolumeMounts().stream()
                .filter(each -> each.getName().equals(volume))
                .findFirst()
                .orElseThrow();
        assertThat(mount.getMountPath()).isEqualTo(folder);
        return Boolean.TRUE.equals(mount.getReadOnly());
    }

    /** The executor's pod as Spark would ask Kubernetes for it; no cluster is asked. */
    private static SparkPod executor() throws IOException {
        SparkConf conf = conf().set("spark.driver.host", "driver")
                .set("spark.driver.port", "7078")
                .set("spark.app.name", "example")
                .set(
                        "spark.kubernetes.executor.podTemplateFile",
                        ComposeTest.DOCKER
                                .resolve("kubernetes/executor-pod.yaml")
                                .toString());
        ResourceProfile profile = ResourceProfile$.MODULE$.getOrCreateDefaultProfile(conf);
        var offline = new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                .withMasterUrl("https://localhost:1")
                .build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(offline).build()) {
            return new KubernetesExecutorBuilder()
                    .buildFromFeatures(
                            KubernetesConf.createExecutorConf(conf, "1", "example", scala.Option.empty(), profile.id()),
                            new SecurityManager(conf, scala.Option.empty(), package$.MODULE$.AUTH_SECRET_FILE()),
                            client,
                            profile)
                    .pod();
        }
    }

    private static SparkConf conf() throws IOException {
        Properties properties = new Properties();
        properties.load(new StringReader(ComposeTest.read("kubernetes/spark-defaults.conf")));
        SparkConf conf = new SparkConf(false);
        properties.forEach((key, value) -> conf.set((String) key, ((String) value).strip()));
        return conf;
    }

    private static Map<String, String> environment(Container container) {
        Map<String, String> environment = new TreeMap<>();
        container.getEnv().stream()
                .filter(each -> each.getValue() != null)
                .forEach(each -> environment.put(each.getName(), each.getValue()));
        return environment;
    }

    private static List<String> unknownFields(String yaml) {
        List<String> unknown = new ArrayList<>();
        collectUnknown(resource(yaml), unknown);
        return unknown;
    }

    private static Object resource(String yaml) {
        return Serialization.unmarshal(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
    }

    /** The classes of the model keep fields that they have no name for in a map beside the others. */
    private static void collectUnknown(Object value, List<String> unknown) {
        if (value instanceof Collection<?> each) {
            each.forEach(one -> collectUnknown(one, unknown));
        } else if (value instanceof Map<?, ?> each) {
            each.values().forEach(one -> collectUnknown(one, unknown));
        } else if (value != null && value.getClass().getName().startsWith("io.fabric8.kubernetes.api.model")) {
            for (Method method : value.getClass().getMethods()) {
                if (method.getParameterCount() > 0 || !method.getName().startsWith("get")) {
                    continue;
                }
                Object member = call(method, value);
                if (method.getName().equals("getAdditionalProperties")) {
                    ((Map<?, ?>) member).keySet().forEach(each -> unknown.add((String) each));
                } else {
                    collectUnknown(member, unknown);
                }
            }
        }
    }

    private static Object call(Method method, Object value) {
        try {
            return method.invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
