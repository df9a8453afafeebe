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
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * A file or folder of a file system. Paths of files beside it and below it are made of paths, never of their names as
 * text.
 *
 * @param <P> paths of the file system
 */
final class FileLocation<P> implements Location {

    /** How a file that was found is called. */
    interface Naming {
        /**
         * @param folder what its folder is called, with a stroke at the end; empty for the folder that the process
         *     works in
         * @param part where it lies in there
         */
        String of(String folder, String part);
    }

    static final Naming PASTED = String::concat;

    private final FileOperations<P> files;
    private final P path;
    private final String name;
    private final Naming naming;
    /** Whether the name was made of another one. */
    private final boolean isDerived;
    /** Where a walk has met the file; null of a file that the command line names. */
    private final Met<P> met;

    /**
     * What a walk through a folder has seen of a file.
     *
     * @param root the folder that the walk began in
     * @param folders from there to the file's folder
     * @param folder identity of that folder
     * @param file identity of the file
     * @param bytes its size
     */
    private record Met<P>(P root, List<String> folders, Object folder, Object file, long bytes) {}

    FileLocation(FileOperations<P> files, P path, String name, Naming naming) {
        this(files, path, name, naming, false, null);
    }

    private FileLocation(FileOperations<P> files, P path, String name, Naming naming, boolean isDerived, Met<P> met) {
        this.isDerived = isDerived;
        this.met = met;
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

    /** A file that a walk has met is reached through its folder, which is held open. */
    @Override
    public Visit visit() throws IOException {
        if (met == null) {
            return Location.super.visit();
        }
        try {
            FileOperations.Held<P> folder = files.hold(met.root(), met.folders(), met.folder());
            P inside = files.resolve(folder.path(), fileName());
            return new Visit(new FileLocation<>(files, inside, name, naming, true, met), folder);
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public void requireReadable() throws IOException {
        FileFacts facts = look(met == null);
        if (facts == null || facts.kind() != FileFacts.Kind.OTHER) {
            open(facts, met == null).close();
        }
    }

    /** Follows links only from names that a person gave. */
    @Override
    public CountedInput open() throws IOException {
        return met == null ? open(look(true), true) : openFound();
    }

    private CountedInput openFound() throws IOException {
        FileFacts facts = look(false);
        if (facts == null || !facts.isRegular() || !met.file().equals(facts.identity())) {
            throw new FileProblem(name, "is gone, or another file than was found in its folder");
        }
        return open(facts, false);
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
        CountedInput opened = met == null ? open(facts, false) : openFound();
        try {
            if (!opened.facts().equals(look(false))) {
                throw new FileProblem(name, "changes while it is opened");
            }
            if (files.writers(path) == FileOperations.Writers.SOME) {
                throw new FileProblem(name, "is being written, left alone; -k reads what is there");
            }
            return opened;
        } catch (IOException failure) {
            opened.close();
            throw failure instanceof FileProblem ? failure : new FileProblem(name, failure);
        }
    }

    private CountedInput open(FileFacts facts, boolean followLinks) throws IOException {
        if (facts == null) {
            throw new FileProblem(name, "no such file" + WrongWords.hint(name));
        }
        if (facts.isFolder()) {
            throw new FileProblem(name, "is a folder");
        }
        try {
            return facts.isRegular()
                    ? new CountedInput(name, files.openSeen(path, followLinks, facts), facts)
                    : new CountedInput(name, files.open(path, followLinks));
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    @Override
    public void requireUnchanged(CountedInput opened) throws IOException {
        if (opened.facts() != null && !opened.facts().equals(look(met == null))) {
            throw new FileProblem(name, "was written or replaced while it was read, is kept");
        }
    }

    @Override
    public void requireMayGo(CountedInput opened) throws IOException {
        removal(opened).requireMayGo();
    }

    @Override
    public void delete(CountedInput opened, PendingOutput output) throws IOException {
        removal(opened).run(output);
    }

    private InputRemoval<P> removal(CountedInput opened) {
        return new InputRemoval<>(files, path, name, opened);
    }

    @Override
    public FileAttributes attributes(CountedInput opened) throws IOException {
        if (opened.facts() == null) {
            return null;
        }
        FileAttributes attributes = opened.attributes();
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
            if (leadsTo != null && !leadsTo.isRegular() && isDerived) {
                throw new FileProblem(name, "exists already and is no regular file, not replaced");
            }
            if (leadsTo != null && !leadsTo.isRegular()) {
                return new DirectOutput(name, files.openDevice(path), true);
            }
            if (named != null && !replace) {
                throw new FileProblem(name, "exists already, not replaced");
            }
            FileAttributes attributes = inherited;
            if (attributes == null && named != null && named.isRegular()) {
                attributes = attributesOfReplaced(named);
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

    private FileAttributes attributesOfReplaced(FileFacts named) throws IOException {
        try (CountedInput old = new CountedInput(name, files.openSeen(path, false, named), named)) {
            return old.attributes().withoutTime();
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
    public long bytes() throws IOException {
        if (met != null) {
            return met.bytes();
        }
        FileFacts facts = look(true);
        return facts == null ? 0 : facts.bytes();
    }

    @Override
    public long modifiedMillis() throws IOException {
        FileFacts facts = look(met == null);
        if (facts == null) {
            throw new FileProblem(name, "no such file");
        }
        return facts.modified().toMillis();
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
        return at(files.resolve(files.parent(path), fileName), naming.of(folder, fileName));
    }

    @Override
    public Location below(String relative) {
        return inside(files.resolve(path, relative), relative);
    }

    /** A file of this folder at a path that is known. */
    FileLocation<P> inside(P known, String relative) {
        return at(known, naming.of(name.endsWith("/") ? name : name + "/", relative));
    }

    private FileLocation<P> at(P known, String called) {
        return new FileLocation<>(files, known, called, naming, true, null);
    }

    @Override
    public List<String> createFoldersFor(String relative, Location input) throws IOException {
        List<String> lost = new ArrayList<>();
        P folder = path;
        try {
            List<FileAttributes> models = ((FileLocation<?>) input).folderAttributes(relative.split("/").length - 1);
            if (!isFolder()) {
                files.createFolders(files.parent(path));
                lost.addAll(files.createFolder(path, models.get(0)));
            }
            String[] parts = relative.split("/");
            for (int i = 0; i < parts.length - 1; i++) {
                folder = files.resolve(folder, parts[i]);
                FileFacts facts = files.look(folder, false);
                if (facts == null) {
                    lost.addAll(files.createFolder(folder, models.get(i + 1)));
                } else if (!facts.isFolder()) {
                    throw new FileProblem(inside(folder, relative).name(), "lies behind what is no folder, or a link");
                }
            }
            return lost;
        } catch (FileProblem problem) {
            throw problem;
        } catch (IOException failure) {
            throw new FileProblem(name, failure);
        }
    }

    /** Attributes of the folder that this file lies in and of so many above it, the outermost one first. */
    private List<FileAttributes> folderAttributes(int above) throws IOException {
        Deque<FileAttributes> attributes = new ArrayDeque<>();
        P folder = files.parent(path);
        for (int i = 0; i <= above; i++) {
            attributes.push(files.attributes(folder, true));
            folder = files.above(folder);
        }
        return List.copyOf(attributes);
    }

    @Override
    public Tree tree(Location except) throws IOException {
        Tree tree = new Tree(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        Object left = except == null ? null : except.key();
        Deque<Walked<P>> folders = new ArrayDeque<>();
        folders.push(new Walked<>(this, List.of(), look(true).identity()));
        while (!folders.isEmpty()) {
            Walked<P> walked = folders.pop();
            FileLocation<P> folder = walked.folder();
            if (left != null && folder != this && folder.key().equals(left)) {
                continue;
            }
            tree.folders().add(folder);
            String before = walked.names().isEmpty() ? "" : String.join("/", walked.names()) + "/";
            for (FileOperations.Listed<P> found : folder.list(tree.problems())) {
                String fileName = files.nameOf(found.path());
                Object identity = found.facts().identity();
                FileLocation<P> file = inside(found.path(), before + fileName);
                if (found.facts().isFolder()) {
                    List<String> names = new ArrayList<>(walked.names());
                    names.add(fileName);
                    folders.push(new Walked<>(file, names, identity));
                } else if (found.facts().isRegular()) {
                    Met<P> meeting = new Met<>(
                            path,
                            walked.names(),
                            walked.identity(),
                            identity,
                            found.facts().bytes());
                    tree.files().add(new Found(file.met(meeting), before + fileName));
                }
            }
        }
        tree.files().sort(Comparator.comparing(Found::path));
        return tree;
    }

    /**
     * A folder of a walk.
     *
     * @param names the folders from the walk's first one to it
     */
    private record Walked<P>(FileLocation<P> folder, List<String> names, Object identity) {}

    private FileLocation<P> met(Met<P> meeting) {
        return new FileLocation<>(files, path, name, naming, true, meeting);
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
