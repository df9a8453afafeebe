package io.warpcodec.cli.file.system;

import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an output inherits from the file that it is made of.
 *
 * @param identity the file that these are of, as {@link FileFacts#identity} has it; read in one step with owner and
 *     permissions
 * @param home the file system whose users and groups are meant; elsewhere the same names may be other people's
 * @param owner name of the owner; null where there is none
 * @param group name of the group; null where there is none
 * @param permissions read, write and execute of owner, group (with an ACL: its mask) and others; null where there are
 *     none
 * @param acl the entries of an access control list beyond owner, group and others, as the file system writes them;
 *     empty where there is none
 * @param extended extended attributes by name
 * @param modified when it was last written; null leaves the output's own time
 */
public record FileAttributes(
        Object identity,
        String home,
        String owner,
        String group,
        Set<PosixFilePermission> permissions,
        List<String> acl,
        Map<String, byte[]> extended,
        FileTime modified) {

    private static final PosixFilePermission[] OWNER = {
        PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE
    };
    private static final PosixFilePermission[] GROUP = {
        PosixFilePermission.GROUP_READ, PosixFilePermission.GROUP_WRITE, PosixFilePermission.GROUP_EXECUTE
    };
    private static final PosixFilePermission[] OTHERS = {
        PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE, PosixFilePermission.OTHERS_EXECUTE
    };

    /** These attributes without the time of modification, for a file that is made of another file and younger. */
    public FileAttributes withoutTime() {
        return new FileAttributes(identity, home, owner, group, permissions, acl, extended, null);
    }

    /** What a new folder has that stands for one with these: its own time, and an owner who may use it. */
    FileAttributes ofFolder() {
        if (permissions == null) {
            return withoutTime();
        }
        Set<PosixFilePermission> usable = EnumSet.copyOf(List.of(OWNER));
        usable.addAll(permissions);
        return new FileAttributes(identity, home, owner, group, usable, acl, extended, null);
    }

    /**
     * The permissions of an output that only users may read that may read the input.
     *
     * @param groupKept whether it has the input's group. If not, members of its group were strangers to the input,
     *     and members of the input's group are strangers to it: both classes get only what both had
     * @param aclKept whether it has the input's ACL, or lack of one. If not, the input's ACL may have denied to some
     *     what its permissions gave to all. An ACL that comes from the folder may give to some what the input denied.
     *     So only the owner is left
     */
    Set<PosixFilePermission> permissions(boolean groupKept, boolean aclKept) {
        Set<PosixFilePermission> kept = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < OWNER.length; i++) {
            boolean group = permissions.contains(GROUP[i]);
            boolean others = permissions.contains(OTHERS[i]);
            add(kept, OWNER[i], permissions.contains(OWNER[i]));
            add(kept, GROUP[i], aclKept && group && (groupKept || others));
            add(kept, OTHERS[i], aclKept && others && (groupKept || group));
        }
        return kept;
    }

    private static void add(Set<PosixFilePermission> kept, PosixFilePermission permission, boolean has) {
        if (has) {
            kept.add(permission);
        }
    }
}
