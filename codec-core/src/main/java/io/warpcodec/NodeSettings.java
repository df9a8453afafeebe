package io.warpcodec;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * Whether this process uses the service of its node, which has the GPUs for every process of a machine
 * ({@code warpcodec serve}).
 *
 * @param folder where the service is; null for none
 * @param users that may run the service, beside root and this process's
 * @param required whether this process uses no GPU without the service
 */
public record NodeSettings(Path folder, Set<String> users, boolean required) {
    /** Where the service is by default: a folder that root alone can make, on a file system in memory. */
    public static final String DEFAULT_FOLDER = "/run/warpcodec";

    /** Nothing set. */
    public static final NodeSettings DEFAULTS = new NodeSettings(Path.of(DEFAULT_FOLDER), Set.of(), false);

    /** No service. */
    public static final NodeSettings NONE = new NodeSettings(null, Set.of(), false);

    /** The name of the socket in the folder. */
    public static final String SOCKET = "socket";

    public NodeSettings {
        users = Set.copyOf(users);
    }

    /** Whether the folder of a service is there and does not let this account in. */
    public boolean isClosed() {
        return folder != null && Files.isDirectory(folder) && !Files.isExecutable(folder);
    }

    /** Whether a service may be there: whether its socket is. Makes no connection. */
    public boolean mayBeThere() {
        return folder != null && Files.exists(folder.resolve(SOCKET));
    }
}
