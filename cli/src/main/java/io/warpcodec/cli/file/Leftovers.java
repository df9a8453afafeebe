package io.warpcodec.cli.file;

import io.warpcodec.cli.file.publish.Leftover;
import io.warpcodec.cli.file.publish.SteppedReplacement;
import io.warpcodec.cli.file.system.FileOperations;
import io.warpcodec.cli.file.system.FileProblem;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What killed calls left in the folders that this call works in. All of it is named, and none deleted. Only where
 * replacing is in steps a file that an interrupted replacement had moved aside is put back. Not safe for use by
 * several threads.
 */
public final class Leftovers {

    private final Consumer<String> say;
    private final Map<Object, List<? extends Leftover<?>>> byFolder = new HashMap<>();
    private final Set<Object> settled = new HashSet<>();

    /** @param say takes a line for a person */
    public Leftovers(Consumer<String> say) {
        this.say = say;
    }

    /**
     * Looks after the leftovers of a file: takes up an interrupted replacement, names the rest.
     *
     * @return whether an older version of the file lies beside it
     * @throws FileProblem if an interrupted replacement has left a file that is neither the old one nor the new one
     */
    public boolean settle(Location file) throws IOException {
        return file instanceof FileLocation<?> known && settle(known);
    }

    private <P> boolean settle(FileLocation<P> file) throws IOException {
        FileOperations<P> files = file.files();
        boolean isFirst = settled.add(files.key(file.path()));
        List<Leftover<P>> all = listed(files, files.parent(file.path())).stream()
                .filter(leftover -> leftover.isOf(files.nameOf(file.path())))
                .toList();
        for (Leftover<P> leftover : all) {
            if (isFirst && leftover.kind() == Leftover.Kind.REPLACED && !files.replacesAtomically()) {
                takeUp(file, leftover);
            }
        }
        boolean hasOlder = false;
        for (Leftover<P> leftover : all) {
            boolean isThere = files.look(pathOf(file, leftover), false) != null;
            hasOlder |= isThere && leftover.kind() == Leftover.Kind.REPLACED;
            if (isFirst && isThere) {
                name(file, leftover);
            }
        }
        return hasOlder;
    }

    /** Where it lies, reached as its file is reached now. */
    private static <P> P pathOf(FileLocation<P> file, Leftover<P> leftover) {
        FileOperations<P> files = file.files();
        return files.resolve(files.parent(file.path()), files.nameOf(leftover.path()));
    }

    /** The files of a folder, with those that interrupted calls had moved aside: they are put back. */
    public Location.Tree treeOf(Location folder, Location except) throws IOException {
        Location.Tree tree = folder.tree(except);
        boolean changed = false;
        for (Location inside : tree.folders()) {
            changed |= inside instanceof FileLocation<?> known && takeUp(known);
        }
        return changed ? folder.tree(except) : tree;
    }

    private <P> boolean takeUp(FileLocation<P> folder) throws IOException {
        boolean changed = false;
        FileOperations<P> files = folder.files();
        for (Leftover<P> leftover :
                files.replacesAtomically() ? List.<Leftover<P>>of() : listed(files, folder.path())) {
            if (leftover.kind() == Leftover.Kind.REPLACED && !leftover.isCut()) {
                settle(folder.inside(files.resolve(folder.path(), leftover.stem()), leftover.stem()));
                changed = true;
            }
        }
        return changed;
    }

    /** Names the leftovers in the folders of a tree that belong to no file that was settled. */
    public void nameOthers(Location.Tree tree) throws IOException {
        for (Location folder : tree.folders()) {
            if (folder instanceof FileLocation<?> known) {
                nameOthers(known);
            }
        }
    }

    private <P> void nameOthers(FileLocation<P> folder) throws IOException {
        FileOperations<P> files = folder.files();
        for (Leftover<P> leftover : listed(files, folder.path())) {
            P target = files.resolve(folder.path(), leftover.stem());
            if (!settled.contains(files.key(target))) {
                name(folder.inside(target, leftover.stem()), leftover);
            }
        }
    }

    private <P> void takeUp(FileLocation<P> file, Leftover<P> leftover) throws IOException {
        FileOperations<P> files = file.files();
        P aside = pathOf(file, leftover);
        if (files.look(aside, false) == null) {
            return;
        }
        P partial = Leftover.Kind.PARTIAL.of(files, file.path(), leftover.id());
        switch (new SteppedReplacement<>(files, file.path(), partial, aside).settle()) {
            case RESTORED -> say.accept(file.name() + ": was moved aside by an interrupted call, is back");
            case FINISHED -> say.accept(file.name() + ": was replaced by an interrupted call, which is finished now");
            default -> {
                // the last step took the partial away: only the delete of the old file was missing
                boolean isWritten = files.look(file.path(), false) != null && files.look(partial, false) == null;
                if (!isWritten) {
                    throw new FileProblem(
                            file.name(),
                            "left alone: an interrupted call has left " + files.nameOf(leftover.path())
                                    + ", which may be the only copy of it; look at both, and delete one");
                }
            }
        }
    }

    private <P> void name(FileLocation<P> file, Leftover<P> leftover) throws IOException {
        FileOperations<P> files = file.files();
        if (!files.isBeingWritten(pathOf(file, leftover))) {
            say.accept(file.beside(files.nameOf(leftover.path())).name()
                    + ": left by an interrupted call, may be the only copy of " + file.name());
        }
    }

    @SuppressWarnings("unchecked") // a folder's key is of one file system
    private <P> List<Leftover<P>> listed(FileOperations<P> files, P folder) throws IOException {
        Object key = files.key(folder);
        List<Leftover<P>> known = (List<Leftover<P>>) byFolder.get(key);
        if (known == null) {
            try {
                known = Leftover.in(files, folder);
            } catch (IOException unreadable) {
                // a folder that may be written but not listed, or none
                known = List.of();
            }
            byFolder.put(key, known);
        }
        return known;
    }
}
