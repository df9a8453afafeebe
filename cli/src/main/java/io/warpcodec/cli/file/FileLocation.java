package io.warpcodec.cli.file;

import io.warpcodec.cli.file.publish.DirectOutput;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.publish.Publication;
import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileFacts;
import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileProblem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * A file or folder of a file system. Paths of files beside it and below it are made of paths, never of their names as text.
 *
 * @param <P> paths of the file system
 */
final class FileLocation<P> implements Location {

    /** How a file that was found is called. */
    interface Naming {
        /**
         * @param path where it is
         * @param pasted its name, put together of the name that was given and what was found
         */
        String of(Object path, String pasted);
    }

    static final Naming PASTED = (path, pasted) -> pasted;

    private final FileOperations<P> files;
    private final P path;
    private final String name;
    private final Naming naming;

    FileLocation(FileOperations<P> files, P path, String name, Naming naming) {
        this.files = files;
        this.path = path;
        this.name = name;
        this.naming = naming;
    }

    FileOperations<P> files() {
        return files;
    }

    P path() {
        return path;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String fileName() {
        return files.nameOf(path);
    }

    @Override
    public Object key() throws IOException {
        return files.key(path);
    }

    @Override
    public void requireReadable() throws IOException {
        FileFacts facts = look(true);
        if (facts == null || facts.kind() != FileFacts.Kind.OTHER) {
            open(facts, true).close();
        }
    }

    @Override
    public CountedInput open() throws IOException {
        return open(look(true), true);
    }

    @Override
    public CountedInput openRegular() throws IOException {
        FileFacts facts = look(false);
        if (facts != null && facts.kind() == FileFacts.Kind.LINK) {
            throw new FileProblem(name, "is a symbolic link, left alone; -k reads what it leads to");
        }
        if (facts != null && facts.kind() == FileFacts.Kind.OTHER) {
            throw new FileProblem(name, "is no regular file; -c or -o says where to write");
        }
        CountedInput opened = open(facts, false);
        if (!Objects.equals(facts, look(false))) {
            opened.close();
            throw new FileProblem(name, "changes while it is opened");
        }
        return opened;
    }

    private CountedInput open(FileFacts facts, boolean followLinks) throws IOException {
        if (facts == null) {
            throw new FileProblem(name, "no such file");
        }
        if (facts.isFolder()) {
            throw new FileProblem(name, "is a folder");
        }
        try {
            InputStream bytes = files.open(path, followLinks);
            return facts.isRegular() ? new CountedInput(name, bytes, facts) : new CountedInput(name, bytes);
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public void requireUnchanged(CountedInput opened) throws IOException {
        if (opened.facts() != null && !opened.facts().equals(look(true))) {
            throw new FileProblem(name, "was written or replaced while it was read, is kept");
        }
    }

    @Override
    public void delete(CountedInput opened) throws IOException {
        if (!exists()) {
            return;
        }
        try {
            files.deleteChecksumOf(path);
            // No file system deletes a file only if it is still the same; so this is asked last.
            requireUnchanged(opened);
        } catch (FileSystemException failure) {
            throw new FileProblem(name, failure);
        }
        deleteNow();
    }

    /** Whether it is deleted is read off the disk: the answer may be lost. */
    private void deleteNow() throws IOException {
        IOException failure = new IOException("cannot be deleted");
        try {
            if (files.delete(path)) {
                return;
            }
        } catch (IOException mayHaveBeenDone) {
            failure = mayHaveBeenDone;
        }
        if (exists()) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public FileAttributes attributes(CountedInput opened) throws IOException {
        if (opened.facts() == null) {
            return null;
        }
        FileAttributes attributes = files.attributes(path, true);
        if (!Objects.equals(attributes.identity(), opened.facts().identity())) {
            throw new FileProblem(name, "was replaced while it was read, is kept");
        }
        return attributes;
    }

    @Override
    public PendingOutput create(boolean replace, FileAttributes inherited) throws IOException {
        FileFacts leadsTo = look(true);
        FileFacts named = look(false);
        if (leadsTo != null && leadsTo.isFolder()) {
            throw new FileProblem(name, "is a folder");
        }
        try {
            if (leadsTo != null && !leadsTo.isRegular()) {
                return new DirectOutput(name, files.openDevice(path), true);
            }
            if (named != null && !replace) {
                throw new FileProblem(name, "exists already, not replaced");
            }
            FileAttributes attributes = inherited;
            if (attributes == null && named != null && named.isRegular()) {
                attributes = files.attributes(path, false).withoutTime();
            }
            return new Publication<>(files, path, name, replace, attributes, inherited == null);
        } catch (NoSuchFileException | FileNotFoundException failure) {
            throw new FileProblem(name, "no such folder to write it in");
        } catch (FileProblem failure) {
            throw failure;
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public boolean isFolder() throws IOException {
        FileFacts facts = look(true);
        return facts != null && facts.isFolder();
    }

    @Override
    public boolean exists() throws IOException {
        return look(false) != null;
    }

    @Override
    public boolean isDevice() throws IOException {
        FileFacts facts = look(true);
        return facts != null && facts.kind() == FileFacts.Kind.OTHER;
    }

    @Override
    public int nameCount() throws IOException {
        return files.nameCount(path);
    }

    @Override
    public boolean isRegular() throws IOException {
        FileFacts facts = look(false);
        return facts != null && facts.isRegular();
    }

    @Override
    public long modifiedMillis() throws IOException {
        FileFacts facts = look(true);
        if (facts == null) {
            throw new FileProblem(name, "no such file");
        }
        return facts.modifiedMillis();
    }

    @Override
    public boolean isSameFile(Location other) throws IOException {
        if (!(other instanceof FileLocation<?> file)) {
            return false;
        }
        FileFacts mine = look(true);
        FileFacts its = file.look(true);
        boolean oneFile = mine != null && its != null && mine.identity() != null && mine.equals(its);
        return oneFile || key().equals(file.key());
    }

    @Override
    public Location beside(String fileName) {
        int end = name.length();
        while (end > 1 && name.charAt(end - 1) == '/') {
            end--;
        }
        String folder = name.substring(0, name.lastIndexOf('/', end - 1) + 1);
        return at(files.resolve(files.parent(path), fileName), folder + fileName);
    }

    @Override
    public Location below(String relative) {
        return inside(files.resolve(path, relative), relative);
    }

    /** A file of this folder at a path that is known. */
    FileLocation<P> inside(P known, String relative) {
        return at(known, name.endsWith("/") ? name + relative : name + "/" + relative);
    }

    private FileLocation<P> at(P known, String pasted) {
        return new FileLocation<>(files, known, naming.of(known, pasted), naming);
    }

    @Override
    public void createFoldersFor(String relative) throws IOException {
        try {
            files.createFolders(path);
            P folder = path;
            String[] parts = relative.split("/");
            for (int i = 0; i < parts.length - 1; i++) {
                folder = files.resolve(folder, parts[i]);
                FileFacts facts = files.look(folder, false);
                if (facts == null) {
                    files.createFolders(folder);
                } else if (!facts.isFolder()) {
                    throw new FileProblem(inside(folder, relative).name(), "lies behind what is no folder, or a link");
                }
            }
        } catch (FileProblem problem) {
            throw problem;
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public Tree tree(Location except) throws IOException {
        Tree tree = new Tree(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Object left = except == null ? null : except.key();
        Deque<FileLocation<P>> folders = new ArrayDeque<>(List.of(this));
        Deque<String> paths = new ArrayDeque<>(List.of(""));
        while (!folders.isEmpty()) {
            FileLocation<P> folder = folders.pop();
            String before = paths.pop();
            if (folder != this && folder.key().equals(left)) {
                continue;
            }
            tree.folders().add(folder);
            for (FileOperations.Listed<P> found : folder.list(tree.problems())) {
                String relative = before + files.nameOf(found.path());
                FileLocation<P> file = inside(found.path(), relative);
                if (found.facts().isFolder()) {
                    folders.push(file);
                    paths.push(relative + "/");
                } else if (found.facts().isRegular()) {
                    tree.files().add(new Found(file, relative));
                }
            }
        }
        tree.files().sort(Comparator.comparing(Found::path));
        return tree;
    }

    /** What is not hidden in this folder; nothing, and a problem more, if it cannot be read. */
    private List<FileOperations.Listed<P>> list(List<FileProblem> problems) {
        try {
            return files.list(path, fileName -> !isHidden(fileName));
        } catch (IOException unreadable) {
            problems.add(new FileProblem(name, unreadable));
            return List.of();
        }
    }

    private static boolean isHidden(String fileName) {
        return fileName.startsWith(".") || fileName.startsWith("_");
    }

    private FileFacts look(boolean followLinks) throws IOException {
        try {
            return files.look(path, followLinks);
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }
}
