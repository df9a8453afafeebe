package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclUtil;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Reads and sets the attributes of a file of one of Hadoop's file systems: owner, group and extended attributes while
 * only the owner may read it, the time, then permissions or ACL. Entries that a new file inherits from its folder go
 * first: they would come to life with wider permissions.
 */
final class HadoopAttributes {

    private static final PosixFilePermission[] BITS = {
        PosixFilePermission.OTHERS_EXECUTE,
        PosixFilePermission.OTHERS_WRITE,
        PosixFilePermission.OTHERS_READ,
        PosixFilePermission.GROUP_EXECUTE,
        PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.GROUP_READ,
        PosixFilePermission.OWNER_EXECUTE,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.OWNER_READ,
    };

    private final FileSystem fileSystem;
    private final String home;

    HadoopAttributes(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
        this.home = fileSystem.getUri().toString();
    }

    FileAttributes read(Path path) throws IOException {
        FileStatus status = fileSystem.getFileStatus(path);
        List<String> acl = new ArrayList<>();
        if (status.hasAcl()) {
            fileSystem.getAclStatus(path).getEntries().forEach(entry -> acl.add(entry.toString()));
        }
        return new FileAttributes(
                HadoopFiles.identity(status),
                home,
                status.getOwner(),
                status.getGroup(),
                ofMode(status.getPermission().toShort()),
                acl,
                extended(path),
                FileTime.fromMillis(status.getModificationTime()));
    }

    private Map<String, byte[]> extended(Path path) throws IOException {
        Map<String, byte[]> values = new LinkedHashMap<>();
        try {
            fileSystem.getXAttrs(path).forEach((name, value) -> {
                // some stores show headers of theirs here, which cannot be set
                if (name.startsWith("user.") || name.startsWith("trusted.") || name.startsWith("security.")) {
                    values.put(name, value);
                }
            });
        } catch (UnsupportedOperationException none) {
            // most file systems have none
        }
        return values;
    }

    /** Returns what could not be kept. */
    List<String> give(Path path, FileAttributes wanted) throws IOException {
        List<String> lost = new ArrayList<>();
        FileStatus now = fileSystem.getFileStatus(path);
        if (now.hasAcl()) {
            fileSystem.removeAcl(path);
        }
        boolean groupKept = giveOwner(path, now, wanted, lost);
        giveExtended(path, wanted, lost);
        if (wanted.modified() != null) {
            // needs the right to write, which the permissions may take from the owner
            try {
                fileSystem.setTimes(path, wanted.modified().toMillis(), -1);
            } catch (IOException | UnsupportedOperationException denied) {
                lost.add("time of the last change");
            }
        }
        if (wanted.permissions() != null) {
            givePermissions(path, wanted, groupKept, lost);
        }
        return lost;
    }

    private void givePermissions(Path path, FileAttributes wanted, boolean groupKept, List<String> lost)
            throws IOException {
        FsPermission permission = new FsPermission((short) toMode(wanted.permissions()));
        if (wanted.acl().isEmpty() || !groupKept) {
            fileSystem.setPermission(path, new FsPermission((short)
                    toMode(wanted.permissions(groupKept, wanted.acl().isEmpty()))));
            if (!wanted.acl().isEmpty()) {
                lost.add("access control list");
            }
        } else {
            List<AclEntry> entries = AclEntry.parseAclSpec(String.join(",", wanted.acl()), true);
            fileSystem.setAcl(path, AclUtil.getAclFromPermAndEntries(permission, entries));
        }
    }

    /** Returns whether the group is that of the input. */
    private boolean giveOwner(Path path, FileStatus now, FileAttributes wanted, List<String> lost) {
        if (!home.equals(wanted.home())) {
            return false;
        }
        boolean groupKept = now.getGroup().equals(wanted.group());
        if (!groupKept) {
            groupKept = owned(path, null, wanted.group());
            if (!groupKept) {
                lost.add("group " + wanted.group());
            }
        }
        if (!now.getOwner().equals(wanted.owner()) && !owned(path, wanted.owner(), null)) {
            lost.add("owner " + wanted.owner());
        }
        return groupKept;
    }

    private boolean owned(Path path, String owner, String group) {
        try {
            fileSystem.setOwner(path, owner, group);
            return true;
        } catch (IOException denied) {
            return false;
        }
    }

    private void giveExtended(Path path, FileAttributes wanted, List<String> lost) {
        wanted.extended().forEach((name, value) -> {
            try {
                fileSystem.setXAttr(path, name, value);
            } catch (IOException | UnsupportedOperationException denied) {
                lost.add("extended attribute " + name);
            }
        });
    }

    private static Set<PosixFilePermission> ofMode(int mode) {
        Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < BITS.length; i++) {
            if ((mode >> i & 1) != 0) {
                permissions.add(BITS[i]);
            }
        }
        return permissions;
    }

    private static int toMode(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (int i = 0; i < BITS.length; i++) {
            mode |= permissions.contains(BITS[i]) ? 1 << i : 0;
        }
        return mode;
    }
}
