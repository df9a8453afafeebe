package io.warpcodec.hadoop.yarn;

import io.warpcodec.engine.gpu.node.ScriptedServeMain;
import io.warpcodec.serve.CommandSupervisor;
import io.warpcodec.serve.Supervisor;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The service as a NodeManager makes it, but for its process, which has a scripted device. */
public final class ScriptedNodeGpuService extends NodeGpuService {
    private static final String FOLDER = "node.folder=";
    private static final int CLIENT_BYTES = 32 << 20;

    /** The supervisor of the last service that was made. */
    private static volatile Supervisor last;

    /** For the NodeManager. */
    public ScriptedNodeGpuService() {
        this("1", Integer.toString(CLIENT_BYTES));
    }

    private ScriptedNodeGpuService(String devices, String clientBytes) {
        super(settings -> serve(settings, devices, clientBytes));
    }

    /** A process that has the service as a NodeManager would: {@code FOLDER DEVICES CLIENT_BYTES}. */
    public static void main(String[] arguments) throws Exception {
        Configuration conf = new Configuration(false);
        conf.set(PREFIX + FOLDER.replace("=", ""), arguments[0]);
        try (NodeGpuService service = new ScriptedNodeGpuService(arguments[1], arguments[2])) {
            service.init(conf);
            service.start();
            while (!answers(Path.of(arguments[0], "socket"))) {
                Thread.sleep(1);
            }
            System.out.println("serving");
            while (System.in.read() >= 0) {
                // the parent lives
            }
        }
    }

    /** The name of a socket outlives the service that was killed. */
    private static boolean answers(Path socket) {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private static Supervisor serve(List<String> settings, String devices, String clientBytes) {
        String folder = settings.stream()
                .filter(setting -> setting.startsWith(FOLDER))
                .map(setting -> setting.substring(FOLDER.length()))
                .findFirst()
                .orElseThrow();
        // the outputs of this process are the build's
        last = CommandSupervisor.startShell(
                "exec \"$0\" \"$@\" >/dev/null 2>&1",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ScriptedServeMain.class.getName(),
                folder,
                devices,
                clientBytes);
        return last;
    }

    /** The process of the last one; null where there is none. */
    static Process process() {
        return last == null ? null : last.process();
    }
}
