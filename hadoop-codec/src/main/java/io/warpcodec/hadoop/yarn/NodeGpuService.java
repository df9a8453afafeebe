package io.warpcodec.hadoop.yarn;

import io.warpcodec.Setting;
import io.warpcodec.Settings;
import io.warpcodec.serve.ServeMain;
import io.warpcodec.serve.Supervisor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a machine's GPUs to the tasks of all its containers for as long as its NodeManager runs:
 *
 * <pre>
 * yarn.nodemanager.aux-services                  mapreduce_shuffle,warpcodec
 * yarn.nodemanager.aux-services.warpcodec.class  io.warpcodec.hadoop.yarn.NodeGpuService
 * </pre>
 *
 * Its settings have the prefix {@link #PREFIX}: {@code node.folder}, {@code node.group}, {@code devices},
 * {@code pinned.max}, {@code memory.max}, {@code batch.size}, {@code batch.linger}. Those of tasks have another,
 * since what yarn-site.xml holds reaches the tasks too. The folder alone may have the tasks' prefix: both have to
 * know it.
 *
 * <p>The GPUs are a child process's: the NodeManager never loads the driver, and a device that is lost costs that
 * process, which starts again. Where nothing can be served, the NodeManager runs all the same, and one line in its
 * log says why.
 */
public class NodeGpuService extends AuxiliaryService {
    /** Its name in {@code yarn.nodemanager.aux-services}. */
    public static final String NAME = "warpcodec";

    /** What its settings start with. */
    public static final String PREFIX = "yarn.nodemanager.aux-services." + NAME + ".";

    /** What a service is told of the NodeManager's configuration. */
    private static final List<Setting> SETTINGS = List.of(
            Setting.NODE_FOLDER,
            Setting.DEVICES,
            Setting.PINNED_MAX,
            Setting.MEMORY_MAX,
            Setting.BATCH_SIZE,
            Setting.BATCH_LINGER);

    private static final Logger LOG = LoggerFactory.getLogger(NodeGpuService.class);

    private final Function<List<String>, Supervisor> start;
    private Supervisor supervisor;
    private volatile boolean stopped;

    /** For the NodeManager. */
    public NodeGpuService() {
        this(Supervisor::start);
    }

    /** @param start starts serving with these settings */
    NodeGpuService(Function<List<String>, Supervisor> start) {
        super(NAME);
        this.start = start;
    }

    /** {@inheritDoc} Fails never: a NodeManager is of use without GPUs. */
    @Override
    protected void serviceStart() throws Exception {
        try {
            List<String> settings = settings(getConfig());
            LOG.info("serving GPUs with the settings {}", settings);
            Supervisor started = start.apply(settings);
            supervisor = started;
            Thread awaiting = new Thread(() -> awaitEnd(started), "warpcodec service");
            awaiting.setDaemon(true);
            awaiting.start();
        } catch (RuntimeException | LinkageError failed) {
            LOG.error("The GPUs of this machine are not served", failed);
        }
        super.serviceStart();
    }

    private static List<String> settings(Configuration conf) {
        List<String> settings = new ArrayList<>();
        for (Setting setting : SETTINGS) {
            String shared =
                    setting == Setting.NODE_FOLDER ? conf.getTrimmed(Settings.HADOOP_PREFIX + setting.word()) : null;
            String value = conf.getTrimmed(PREFIX + setting.word(), shared);
            if (value != null) {
                settings.add(setting.word() + "=" + value);
            }
        }
        String group = conf.getTrimmed(PREFIX + ServeMain.GROUP);
        if (group != null) {
            settings.add(ServeMain.GROUP + "=" + group);
        }
        return settings;
    }

    private void awaitEnd(Supervisor supervised) {
        try {
            int status = supervised.awaitEnd();
            if (!stopped) {
                LOG.warn("The GPUs of this machine are not served until the NodeManager starts again: {}", why(status));
            }
        } catch (InterruptedException interrupted) {
            LOG.debug("interrupted");
        }
    }

    private static String why(int status) {
        return switch (status) {
            case ServeMain.NO_DEVICES -> "no GPU was found that can be served";
            case ServeMain.NO_FOLDER -> "the folder cannot be used, as the NodeManager's output says";
            case ServeMain.USAGE -> "a setting cannot be read, as the NodeManager's output says";
            default -> "the process that serves them has ended with status " + status;
        };
    }

    @Override
    protected void serviceStop() throws Exception {
        stopped = true;
        if (supervisor != null) {
            supervisor.close();
        }
        super.serviceStop();
    }

    /** Does nothing: tasks find the service by its folder. */
    @Override
    public void initializeApplication(ApplicationInitializationContext application) {
        LOG.trace("an application begins");
    }

    /** Does nothing: the service sees by itself that a process has ended. */
    @Override
    public void stopApplication(ApplicationTerminationContext application) {
        LOG.trace("an application has ended");
    }

    /** Nothing. */
    @Override
    public ByteBuffer getMetaData() {
        return ByteBuffer.allocate(0);
    }
}
