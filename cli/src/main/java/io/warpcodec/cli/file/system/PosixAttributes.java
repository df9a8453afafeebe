package io.warpcodec.cli.file.system;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads and sets the attributes of a local file: time, owner, group and extended attributes while only the owner may
 * read it, permissions last. They are set through a descriptor of the file.
 */
final class PosixAttributes {

    /** {@link FileAttributes#home} of local files. */
    static final String HOME = "file";

    /** Whether files of this system have owners and permissions. */
    static final boolean EXIST =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private PosixAttributes() {}

    static FileAttributes read(Path path, LinkOption... links) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class, links);
        if (view == null) {
            BasicFileAttributes facts = Files.readAttributes(path, BasicFileAttributes.class, links);
            return new FileAttributes(
                    facts.fileKey(), HOME, null, null, null, List.of(), Map.of(), facts.lastModifiedTime());
        }
        PosixFileAttributes found = view.readAttributes();
        return new FileAttributes(
                found.fileKey(),
                HOME,
                found.owner().getName(),
                found.group().getName(),
                found.permissions(),
                openToOthers(found.permissions()) && AccessLists.isOn(path)
                        ? List.of(AccessLists.UNREADABLE)
                        : List.of(),
                extended(path, links),
                found.lastModifiedTime());
    }

    private static Map<String, byte[]> extended(Path path, LinkOption... links) {
        Map<String, byte[]> values = new LinkedHashMap<>();
        try {
            UserDefinedFileAttributeView view =
                    Files.getFileAttributeView(path, UserDefinedFileAttributeView.class, links);
            for (String name : view == null ? List.<String>of() : view.list()) {
                ByteBuffer value = ByteBuffer.allocate(view.size(name));
                view.read(name, value);
                values.put("user." + name, value.array());
            }
        } catch (IOException | UnsupportedOperationException none) {
            // many file systems have none
        }
        return values;
    }

    /** A time before 1970 without its fraction, of which Java would make 1970: it sets such a time to 0. */
    static FileTime settable(FileTime time) {
        Instant instant = time.toInstant();
        return instant.getEpochSecond() < 0 ? FileTime.from(instant.truncatedTo(ChronoUnit.SECONDS)) : time;
    }

    /**
     * Returns what could not be kept.
     *
     * @param path a descriptor of the file or folder
     * @param folder the folder that it was made in
     */
    static List<String> give(Path path, Path folder, FileAttributes wanted) throws IOException {
        List<String> lost = new ArrayList<>();
        if (wanted.modified() != null) {
            Files.getFileAttributeView(path, BasicFileAttributeView.class)
                    .setTimes(settable(wanted.modified()), null, null);
        }
        PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
        if (view != null && wanted.permissions() != null) {
            boolean groupKept = giveOwner(path, view, wanted, lost);
            giveExtended(path, wanted, lost);
            boolean hasList = !wanted.acl().isEmpty()
                    || openToOthers(wanted.permissions()) && AccessLists.isInheritedFrom(folder);
            givePermissions(view, wanted.permissions(groupKept, !hasList), lost);
            if (hasList) {
                lost.add("access control list");
            }
        }
        return lost;
    }

    /** Whether others than the owner may do anything; if not, no entry of a list has any effect. */
    private static boolean openToOthers(Set<PosixFilePermission> permissions) {
        return !OWNER.containsAll(permissions);
    }

    /** Returns whether the group is that of the input. */
    private static boolean giveOwner(Path path, PosixFileAttributeView view, FileAttributes wanted, List<String> lost)
            throws IOException {
        if (!HOME.equals(wanted.home())) {
            return false;
        }
        PosixFileAttributes now = view.readAttributes();
        var users = path.getFileSystem().getUserPrincipalLookupService();
        boolean groupKept = now.group().getName().equals(wanted.group());
        if (!groupKept) {
            try {
                view.setGroup(users.lookupPrincipalByGroupName(wanted.group()));
                groupKept = true;
            } catch (IOException denied) {
                lost.add("group " + wanted.group());
            }
        }
        if (!now.owner().getName().equals(wanted.owner())) {
            try {
                view.setOwner(users.lookupPrincipalByName(wanted.owner()));
            } catch (IOException denied) {
                lost.add("owner " + wanted.owner());
            }
        }
        return groupKept;
    }

    private static void givePermissions(
            PosixFileAttributeView view, Set<PosixFilePermission> permissions, List<String> lost) throws IOException {
        if (view.readAttributes().permissions().equals(permissions)) {
            return;
        }
        try {
            view.setPermissions(permissions);
        } catch (IOException denied) {
            // the owner of a file may always, but for file systems that have one set of permissions for all files
            lost.add("permissions");
        }
    }

    private static void giveExtended(Path path, FileAttributes wanted, List<String> lost) {
        for (Map.Entry<String, byte[]> attribute : wanted.extended().entrySet()) {
            String name = attribute.getKey();
            try {
                if (!name.startsWith("user.")) {
                    throw new IOException("of another file system");
                }
                Files.getFileAttributeView(path, UserDefinedFileAttributeView.class)
                        .write(name.substring("user.".length()), ByteBuffer.wrap(attribute.getValue()));
            } catch (IOException | UnsupportedOperationException denied) {
                lost.add("extended attribute " + name);
            }
        }
    }
}
