package io.warpcodec.cli.serve;

import io.warpcodec.NodeSettings;
import io.warpcodec.serve.ServeMain;
import io.warpcodec.serve.Supervisor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The verb {@code serve}: lets other processes of this machine use its GPUs. */
@Command(
        name = "serve",
        description = {
            "Lets other processes of this machine use its GPUs: the node service. It runs until it is stopped;"
                    + " the processes that use it go on on the CPU then.",
            "Processes of root and of this account may use it, and those of members of a group: warpcodec, if there"
                    + " is one.",
            "Exit status: 73 if it has not got its folder, 78 if there is no GPU.",
            "One service for a machine. Its folder has to be on tmpfs; processes look for it in "
                    + NodeSettings.DEFAULT_FOLDER + "."
        },
        mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            description =
                    "Where the socket and the memory are that processes share with it. Default: ${DEFAULT-VALUE}.")
    private String folder = NodeSettings.DEFAULT_FOLDER;

    @ArgGroup
    private Others others = new Others();

    /** Which other accounts may use it. */
    private static final class Others {
        @Option(
                names = "--group",
                paramLabel = "GROUP",
                description =
                        "The group whose members may use it, by name or number. Default: warpcodec, if there is one.")
        private String group;

        @Option(
                names = "--all-accounts",
                description =
                        "Every account of this machine may use it. They must not attack each other: see the page on the"
                                + " node service.")
        private boolean all;

        private String word() {
            return all ? ServeMain.EVERYONE : group;
        }
    }

    @Option(
            names = "--devices",
            paramLabel = "GPU,...",
            description = "The GPUs to serve: ordinals, UUIDs or PCI addresses. Default: all.")
    private String devices;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "Most page-locked memory of all processes together, such as 8g; a quarter more is for those that have"
                            + " none. Default: 4g, or an eighth of the machine's memory if that is less.")
    private String memory;

    @Option(
            names = "--device-memory",
            paramLabel = "SIZE",
            description =
                    "Most memory taken on each GPU. Default: 2g, or an eighth of the GPU's memory if that is less.")
    private String deviceMemory;

    @Override
    public Integer call() throws InterruptedException {
        List<String> settings = new ArrayList<>(List.of("node.folder=" + folder));
        add(settings, ServeMain.GROUP, others.word());
        add(settings, "devices", devices);
        add(settings, "pinned.max", memory);
        add(settings, "memory.max", deviceMemory);
        Supervisor supervisor = Supervisor.start(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(supervisor::close, "warpcodec stop"));
        return supervisor.awaitEnd();
    }

    private static void add(List<String> settings, String word, String value) {
        if (value != null) {
            settings.add(word + "=" + value);
        }
    }
}
