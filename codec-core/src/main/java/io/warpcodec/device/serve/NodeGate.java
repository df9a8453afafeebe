package io.warpcodec.device.serve;

import io.warpcodec.device.node.NodeProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which accounts may be clients of a service, beside root and its own: those that its folder lets in. The file system
 * keeps the others out, so that nothing they do reaches the service.
 */
public final class NodeGate {
    /** The group that may come where none is named. */
    public static final String USUAL_GROUP = NodeProtocol.GROUP;

    /** Members of {@link #USUAL_GROUP}; without such a group no other account. */
    public static final NodeGate USUAL = new NodeGate(null, false);

    /** Every account of the machine. */
    public static final NodeGate EVERYONE = new NodeGate(null, true);

    private static final Logger LOG = LoggerFactory.getLogger(NodeGate.class);

    private final String group;
    private final boolean everyone;

    private NodeGate(String group, boolean everyone) {
        this.group = group;
        this.everyone = everyone;
    }

    /** Members of a group, by name or number. */
    public static NodeGate of(String group) {
        return new NodeGate(group, false);
    }

    /**
     * Sets who may enter a folder.
     *
     * @throws IOException if there is no such group, or this process may not give the folder to it
     */
    void set(Path folder) throws IOException {
        if (everyone) {
            mode(folder, "rwx--x--x");
        } else if (group != null) {
            give(folder, group);
        } else {
            giveToUsual(folder);
        }
    }

    private static void giveToUsual(Path folder) throws IOException {
        try {
            give(folder, USUAL_GROUP);
        } catch (IOException none) {
            LOG.info("{} serves its own account alone: {}", folder, none.getMessage());
            mode(folder, "rwx------");
        }
    }

    private static void give(Path folder, String name) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(folder, PosixFileAttributeView.class);
        GroupPrincipal wanted = group(folder, name);
        if (!view.readAttributes().group().equals(wanted)) {
            try {
                view.setGroup(wanted);
            } catch (IOException mayNot) {
                throw new IOException("this account may not give " + folder + " to the group " + name, mayNot);
            }
        }
        mode(folder, "rwx--x---");
    }

    private static GroupPrincipal group(Path folder, String name) throws IOException {
        try {
            return folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name);
        } catch (UserPrincipalNotFoundException none) {
            throw new IOException("there is no group " + name, none);
        }
    }

    private static void mode(Path folder, String permissions) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(permissions));
    }
}
