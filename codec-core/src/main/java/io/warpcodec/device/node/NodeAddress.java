package io.warpcodec.device.node;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import jdk.net.ExtendedSocketOptions;

/**
 * Where a node's service is, and which users may run it: root, the client's own user, and those that are named. A
 * service gets the bytes of all its clients, so a socket that any other user has put there is not used.
 *
 * @param folder on tmpfs: the socket, and a folder of segments
 * @param users that may run the service, beside root and this process's
 */
public record NodeAddress(Path folder, Set<String> users) {
    /** Its socket. */
    public Path socket() {
        return folder.resolve(NodeProtocol.SOCKET);
    }

    /**
     * Checks which user listens on the other side, as the kernel tells it, and that no other user can put a socket or
     * segments into the folder.
     *
     * @throws IOException if it is a user that is not trusted
     */
    void requireTrusted(SocketChannel socket) throws IOException {
        TrustedUsers trusted = TrustedUsers.with(users);
        UserPrincipal peer = socket.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!trusted.contains(peer)) {
            throw new IOException(
                    "it is run by " + peer.getName() + ", a user that the setting node.users does not name");
        }
        trusted.requireFolder(folder.toRealPath());
    }
}
