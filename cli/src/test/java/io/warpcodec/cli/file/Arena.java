package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileOperations;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A folder of some file system in which a call of the tool is disturbed, seen past the layer that disturbs it. Names
 * are relative to the folder.
 *
 * @param <P> the file system's own type of paths
 */
final class Arena<P> {

    private final String uri;
    private final FileOperations<P> files;
    private final P folder;

    /**
     * States of local files that were no wider: a list of access is looked for by a process, and whatever changes one
     * changes the state.
     */
    private final Set<Map<String, Object>> narrow = new HashSet<>();

    private Arena(String uri, FileOperations<P> files, P folder) {
        this.uri = uri;
        this.files = files;
        this.folder = folder;
    }

    /** A folder by its name, which is made if it is not there. */
    static Arena<?> at(String uri) throws IOException {
        SteppedFiles.release();
        FileLocation<?> location = (FileLocation<?>) Location.of(uri);
        return of(uri, location);
    }

    private static <P> Arena<P> of(String uri, FileLocation<P> location) throws IOException {
        location.files().createFolders(location.path());
        return new Arena<>(uri, location.files(), location.path());
    }

    String uri() {
        return uri;
    }

    private P path(String name) {
        P path = folder;
        for (String part : name.split("/")) {
            path = files.resolve(path, part);
        }
        return path;
    }

    boolean exists(String name) throws IOException {
        return files.look(path(name), false) != null;
    }

    /** Writes a new file that only its owner may read. */
    void write(String name, byte[] bytes) throws IOException {
        try (FileOperations.Sink sink = files.create(path(name), true)) {
            sink.write(bytes, 0, bytes.length);
        }
    }

    /** Writes a new file with these attributes. */
    void write(String name, byte[] bytes, FileAttributes attributes) throws IOException {
        try (FileOperations.Sink sink = files.create(path(name), true)) {
            sink.write(bytes, 0, bytes.length);
            sink.giveAttributes(attributes);
        }
    }

    FileAttributes attributes(String name) throws IOException {
        return files.attributes(path(name), false);
    }

    /** Deletes a file if it is there. */
    void delete(String name) throws IOException {
        files.delete(path(name));
    }

    /** Puts a new file in the place of another one. */
    void replace(String name, byte[] bytes) throws IOException {
        files.delete(path(name));
        write(name, bytes);
    }

    /** Deletes all files in the folder and below it. */
    void clear() throws IOException {
        clear(folder);
    }

    private void clear(P from) throws IOException {
        for (FileOperations.Listed<P> found : files.list(from, name -> true)) {
            if (found.facts().isFolder()) {
                clear(found.path());
            }
            files.delete(found.path());
        }
    }

    /** Content of all regular files in the folder and below it. */
    Map<String, byte[]> contents() throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        for (Map.Entry<String, P> file : paths().entrySet()) {
            try (InputStream bytes = files.open(file.getValue(), false)) {
                contents.put(file.getKey(), bytes.readAllBytes());
            }
        }
        return contents;
    }

    private Map<String, P> paths() throws IOException {
        Map<String, P> paths = new TreeMap<>();
        addPaths(folder, "", paths);
        return paths;
    }

    private void addPaths(P from, String before, Map<String, P> paths) throws IOException {
        for (FileOperations.Listed<P> found : files.list(from, name -> true)) {
            String name = before + files.nameOf(found.path());
            if (found.facts().isFolder()) {
                addPaths(found.path(), name + "/", paths);
            } else {
                paths.put(name, found.path());
            }
        }
    }

    /**
     * The attributes that a file of the tool's user has here with these permissions and entries of an access control
     * list.
     */
    FileAttributes attributesWith(Set<PosixFilePermission> permissions, List<String> acl) throws IOException {
        write("sample", new byte[0]);
        FileAttributes sample = attributes("sample");
        files.delete(path("sample"));
        return new FileAttributes(
                null, sample.home(), sample.owner(), sample.group(), permissions, acl, Map.of(), null);
    }

    /** The first file that more may read or write than the attributes say, with what it has; null if there is none. */
    String widerThan(FileAttributes most) throws IOException {
        for (Map.Entry<String, P> file : paths().entrySet()) {
            try {
                Map<String, Object> state = stateOf(file.getValue());
                if (narrow.contains(state)) {
                    continue;
                }
                FileAttributes has = files.attributes(file.getValue(), false);
                if (!isWithin(has.permissions(), has.acl(), most)) {
                    return file.getKey() + " has " + has.permissions() + " " + has.acl();
                }
                if (!state.isEmpty() && state.equals(stateOf(file.getValue()))) {
                    narrow.add(state);
                }
            } catch (FileNotFoundException | NoSuchFileException gone) {
                // between the list and the look
            }
        }
        return null;
    }

    /**
     * Which file it is, its owners, its permissions and when any of these last changed; empty where that is not known.
     */
    private static Map<String, Object> stateOf(Object path) throws IOException {
        boolean isKnown = path instanceof Path local
                && local.getFileSystem().supportedFileAttributeViews().contains("unix");
        return isKnown
                ? Files.readAttributes((Path) path, "unix:dev,ino,mode,uid,gid,ctime", LinkOption.NOFOLLOW_LINKS)
                : Map.of();
    }

    private static boolean isWithin(Set<PosixFilePermission> permissions, List<String> acl, FileAttributes most) {
        return permissions == null
                || most.permissions().containsAll(permissions) && most.acl().containsAll(acl);
    }
}
