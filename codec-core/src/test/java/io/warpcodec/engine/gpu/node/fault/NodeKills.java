package io.warpcodec.engine.gpu.node.fault;

import io.warpcodec.engine.gpu.node.ChildJava;
import io.warpcodec.engine.gpu.node.NodeWorker;
import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Kills the processes of a service and its clients at random: no client that lives may see a wrong byte or fail, and
 * at the end the service has no more descriptors, mappings and files than at its start.
 *
 * <pre>usage: NodeKills FOLDER KILLS CLIENTS SEED [real]</pre>
 *
 * {@code real}: the service of this machine's devices, else scripted ones.
 */
final class NodeKills {
    private static final int KILLED = 128 + 9;
    private static final double SERVICE_SHARE = 0.05;
    private static final long SETTLING_MILLIS = 30_000;

    private final Path folder;
    private final Random random;
    private final boolean real;
    private final List<Process> clients = new ArrayList<>();
    private Process service;
    private int kills;
    private int serviceKills;
    private int endedWell;

    private NodeKills(Path folder, long seed, boolean real) {
        this.folder = folder;
        this.random = new Random(seed);
        this.real = real;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println(run(
                Path.of(arguments[0]),
                Integer.parseInt(arguments[1]),
                Integer.parseInt(arguments[2]),
                Long.parseLong(arguments[3]),
                arguments.length > 4));
    }

    /** What happened, in a line; throws if something was wrong. */
    static String run(Path folder, int kills, int clients, long seed, boolean real) throws Exception {
        NodeKills run = new NodeKills(folder, seed, real);
        try {
            run.run(kills, clients);
            return run.kills + " kills, " + run.serviceKills + " of the service; " + run.endedWell
                    + " clients ended by themselves";
        } finally {
            run.clients.forEach(Process::destroyForcibly);
            run.service.destroyForcibly().waitFor();
        }
    }

    private void run(int most, int clientCount) throws Exception {
        startService();
        Holdings before = settled(null);
        while (kills < most) {
            while (clients.size() < clientCount) {
                clients.add(ChildJava.start(
                        NodeWorker.class,
                        folder.toString(),
                        Double.toString(random.nextDouble()),
                        Long.toString(random.nextLong())));
            }
            Thread.sleep(random.nextInt(1 + 1500 / clientCount));
            if (random.nextDouble() < SERVICE_SHARE) {
                service.destroyForcibly().waitFor();
                serviceKills++;
                kills++;
                startService();
                before = settled(null);
            } else {
                Process victim = clients.remove(random.nextInt(clients.size()));
                if (victim.isAlive()) {
                    victim.toHandle().destroyForcibly();
                    kills++;
                }
                end(victim);
            }
            for (Process ended :
                    clients.stream().filter(client -> !client.isAlive()).toList()) {
                clients.remove(ended);
                end(ended);
            }
        }
        for (Process client : clients) {
            client.toHandle().destroyForcibly();
            end(client);
        }
        clients.clear();
        Holdings after = settled(before);
        if (!after.equals(before)) {
            throw new AssertionError("at the start " + before + ", at the end " + after);
        }
        if (!service.isAlive()) {
            throw new AssertionError("the service has ended");
        }
    }

    private void end(Process client) throws Exception {
        int status = client.waitFor();
        String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (status != 0 && status != KILLED) {
            throw new AssertionError("a client ended with " + status + ": " + said);
        }
        endedWell += status == 0 ? 1 : 0;
    }

    private void startService() throws IOException {
        service = real
                ? ChildJava.start(io.warpcodec.serve.ServeMain.class, "node.folder=" + folder, "pinned.max=4g")
                : ChildJava.start(ScriptedServeMain.class, folder.toString(), "1", Integer.toString(24 << 20));
        if (real) {
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!Files.exists(folder.resolve("socket")) && System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        } else {
            new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.US_ASCII)).readLine();
        }
    }

    /**
     * What the service has, once that is as expected or has not changed for a while, in which the service had
     * segments, and none half made.
     */
    private Holdings settled(Holdings expected) throws Exception {
        Holdings has = null;
        int same = 0;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SETTLING_MILLIS);
        while (same < 12 && System.nanoTime() < end) {
            Thread.sleep(100);
            Holdings now = has();
            same = now.equals(has) && now.segments > 0 && now.mappings == now.segments ? same + 1 : 0;
            has = now;
            if (has.equals(expected) && same > 3) {
                break;
            }
        }
        return has;
    }

    /** Mappings of segments, descriptors of them and of sockets, and files. */
    private record Holdings(long mappings, long segments, long sockets, long files) {}

    private Holdings has() throws IOException {
        Path process = Path.of("/proc", Long.toString(service.pid()));
        long mapped;
        try (Stream<String> maps = Files.lines(process.resolve("maps"))) {
            mapped = maps.filter(line -> line.contains("/segments/")).count();
        }
        long segments = 0;
        long sockets = 0;
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            for (Path descriptor : descriptors.toList()) {
                String target = target(descriptor);
                segments += target.contains("/segments/") ? 1 : 0;
                sockets += target.startsWith("socket:") ? 1 : 0;
            }
        }
        long files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).count();
        }
        return new Holdings(mapped, segments, sockets, files);
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }
}
