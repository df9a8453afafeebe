package io.warpcodec.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The Compose files fit each other, the Dockerfile and the script that runs their roles. */
class ComposeTest {

    static final Path DOCKER = Path.of("..").toAbsolutePath().normalize();

    private final Map<String, Map<String, Object>> services = services("compose.yaml");
    private final Map<String, Map<String, Object>> onGpus = services("compose.gpu.yaml");
    private final String dockerfile = read("Dockerfile");
    private final String node = read("node");

    @Test
    void eachServiceIsBuiltFromAStageOfTheDockerfile() {
        assertThat(services).isNotEmpty();
        services.forEach((name, service) -> {
            String target = (String) map(service.get("build")).get("target");
            assertThat(dockerfile).as(name).containsPattern("(?m)^FROM \\S+ AS " + target + "$");
            assertThat(service.get("image")).as(name).isEqualTo("warpcodec-" + target);
        });
    }

    @Test
    void eachServiceRunsARoleThatTheScriptKnows() {
        services.forEach((name, service) -> assertThat(node)
                .as(name)
                .containsPattern("(?m)^ +" + list(service.get("command")).get(0) + "\\)"));
    }

    @Test
    void aServiceWaitsForTheHealthOfARoleThatTheHealthCheckAsks() {
        String check = node.substring(node.indexOf("\nworks() {"), node.indexOf("\nhealth() {"));
        Set<String> awaited = new TreeSet<>();
        services.forEach((name, service) -> awaited.addAll(awaited(service, "service_healthy")));
        assertThat(services.keySet()).containsAll(awaited);
        assertThat(awaited).isNotEmpty().allSatisfy(name -> assertThat(check).contains("    " + name + ")\n"));
        assertThat(dockerfile).containsPattern("HEALTHCHECK .*\"/opt/warpcodec/bin/node\", \"health\"");
    }

    @Test
    void aWorkerDoesNotWaitForTheHealthOfItsMasterWhichWaitsForAWorker() {
        Map<String, String> masters =
                Map.of("datanode", "namenode", "nodemanager", "resourcemanager", "spark-worker", "spark-master");
        masters.forEach((worker, master) -> {
            assertThat(awaited(services.get(worker), "service_started"))
                    .as(worker)
                    .containsExactly(master);
            assertThat(awaited(services.get(worker), "service_healthy"))
                    .as(worker)
                    .doesNotContainAnyElementsOf(masters.values());
            assertThat(services.get(master)).as(master).doesNotContainKey("depends_on");
        });
    }

    /** The services that a service waits for, until they are in a given condition. */
    private static Set<String> awaited(Map<String, Object> service, String condition) {
        Set<String> awaited = new TreeSet<>();
        if (service.containsKey("depends_on")) {
            map(service.get("depends_on")).forEach((name, how) -> {
                if (how.equals(Map.of("condition", condition))) {
                    awaited.add(name);
                }
            });
        }
        return awaited;
    }

    @Test
    void theWorkerOffersAsManyGpusAsItsContainerGets() {
        onGpus.forEach((name, service) -> {
            Map<String, Object> reservations =
                    map(map(map(service.get("deploy")).get("resources")).get("reservations"));
            assertThat(list(reservations.get("devices")))
                    .as(name)
                    .singleElement()
                    .isEqualTo(Map.of(
                            "driver", "nvidia", "count", "${WARPCODEC_GPUS:-1}", "capabilities", List.of("gpu")));
            assertThat(map(service.get("environment")).get("WARPCODEC_CHECK"))
                    .as(name)
                    .isEqualTo("gpu");
        });
        assertThat(map(onGpus.get("spark-worker").get("environment")).get("SPARK_WORKER_GPUS"))
                .isEqualTo("${WARPCODEC_GPUS:-1}");
        assertThat(services.keySet()).containsAll(onGpus.keySet());
    }

    @Test
    void eachVariableOfTheFilesIsOneThatTheScriptReads() {
        Set<String> variables = new HashSet<>();
        services.values()
                .forEach(each -> variables.addAll(map(each.get("environment")).keySet()));
        onGpus.values()
                .forEach(each -> variables.addAll(map(each.get("environment")).keySet()));
        assertThat(variables)
                .hasSizeGreaterThan(3)
                .allSatisfy(name -> assertThat(node).contains("${" + name + ":-"));
    }

    @Test
    void noJarIsNamedWithItsVersion() throws IOException {
        try (var files = Files.walk(DOCKER, 2)) {
            for (Path file : files.filter(Files::isRegularFile)
                    .filter(each -> !each.startsWith(DOCKER.resolve("target")) && !each.endsWith("pom.xml"))
                    .toList()) {
                Matcher jar = Pattern.compile("[\\w.-]*\\d[.]\\d[\\w.-]*[.]jar").matcher(Files.readString(file));
                assertThat(jar.find()).as(file.toString()).isFalse();
            }
        }
    }

    private static Map<String, Map<String, Object>> services(String file) {
        LoaderOptions strict = new LoaderOptions();
        strict.setAllowDuplicateKeys(false);
        Map<String, Object> compose = new Yaml(new SafeConstructor(strict)).load(read(file));
        @SuppressWarnings("unchecked")
        Map<String, Map<String, Object>> services = (Map<String, Map<String, Object>>) compose.get("services");
        return services;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    private static List<?> list(Object value) {
        return (List<?>) value;
    }

    static String read(String file) {
        try {
            return Files.readString(DOCKER.resolve(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
