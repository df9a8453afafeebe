package io.warpcodec.device.node;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/**
 * Users that this process trusts with its bytes: root, its own user, and users that are named. The kernel's numbers
 * are compared, since names in a container are its own. Immutable.
 */
public final class TrustedUsers {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path UNMAPPED = Path.of("/proc/sys/kernel/overflowuid");
    private static final int STICKY = 01000;
    private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private final Set<UserPrincipal> users = new HashSet<>();

    private TrustedUsers() {}

    /**
     * Root, this process's user, and others.
     *
     * @param named names or numbers; a name that this machine does not know is no user's
     * @throws IOException if the kernel does not say which user this process is
     */
    public static TrustedUsers with(Set<String> named) throws IOException {
        TrustedUsers trusted = new TrustedUsers();
        trusted.add("0");
        String own = ownNumber();
        // where numbers are mapped, all users that are not have this one
        if (!isMapped() || !own.equals(Files.readString(UNMAPPED).strip())) {
            trusted.add(own);
        }
        named.forEach(trusted::add);
        return trusted;
    }

    private void add(String nameOrNumber) {
        UserPrincipalLookupService service = FileSystems.getDefault().getUserPrincipalLookupService();
        try {
            users.add(service.lookupPrincipalByName(nameOrNumber));
        } catch (IOException unknown) {
            // it can be no process's user
        }
    }

    /** Number of this process's user, for what it may do. */
    static String ownNumber() throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith("Uid:")) {
                return line.split("\\s+")[2];
            }
        }
        throw new IOException(STATUS + " does not say whose this process is");
    }

    /** Whether this process is in a user namespace that does not map all numbers. */
    private static boolean isMapped() throws IOException {
        String[] all = Files.readString(Path.of("/proc/self/uid_map")).strip().split("\\s+");
        return !(all.length == 3 && all[0].equals("0") && all[1].equals("0") && all[2].equals("4294967295"));
    }

    /** Whether a user is trusted. */
    boolean contains(UserPrincipal user) {
        return users.contains(user);
    }

    /**
     * Checks that no other user can put something in a folder's place, or into it.
     *
     * @param folder without links
     * @throws IOException if it or a parent belongs to a user that is not trusted, or can be written by others
     */
    public void requireFolder(Path folder) throws IOException {
        UserPrincipal ofRoot = Files.getOwner(folder.getRoot());
        for (Path each = folder; each != null; each = each.getParent()) {
            PosixFileAttributes attributes = Files.readAttributes(each, PosixFileAttributes.class);
            if (!users.contains(attributes.owner()) && !attributes.owner().equals(ofRoot)) {
                throw new IOException(each + " belongs to " + attributes.owner().getName()
                        + ", who could put another service in its place");
            }
            if (!Collections.disjoint(attributes.permissions(), WRITABLE_BY_OTHERS)
                    && (each == folder || !isSticky(each))) {
                throw new IOException(
                        each + " can be written by other users, who could put another service in its place");
            }
        }
    }

    /** In such a folder a user moves and deletes its own files alone. */
    private static boolean isSticky(Path folder) throws IOException {
        return ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
    }
}
