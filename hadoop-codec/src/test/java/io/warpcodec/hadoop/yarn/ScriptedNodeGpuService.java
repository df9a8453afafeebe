package io.warpcodec.hadoop.yarn;

import io.warpcodec.engine.gpu.ScriptedServeMain;
import io.warpcodec.serve.CommandSupervisor;
import io.warpcodec.serve.Supervisor;
import java.nio.file.Path;
import java.util.List;

/** The service as a NodeManager makes it, but for its process, which has a scripted device. */
public final class ScriptedNodeGpuService extends NodeGpuService {
    private static final String FOLDER = "node.folder=";

    /** Of the last one that was made. */
    private static volatile Supervisor last;

    /** For the NodeManager. */
    public ScriptedNodeGpuService() {
        super(ScriptedNodeGpuService::serve);
    }

    private static Supervisor serve(List<String> settings) {
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
                "1",
                Integer.toString(32 << 20));
        return last;
    }

    /** The process of the last one; null where there is none. */
    static Process process() {
        return last == null ? null : last.process();
    }
}
