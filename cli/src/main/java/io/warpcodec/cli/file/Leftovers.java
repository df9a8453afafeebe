package io.warpcodec.cli.file;

import io.warpcodec.cli.file.publish.Leftover;
import io.warpcodec.cli.file.publish.SteppedReplacement;
import io.warpcodec.cli.file.system.FileOperations;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What killed calls left in the folders that this call works in. A file that an interrupted replacement had moved aside is put back, whatever else is asked;
 * all others are named, and removed if that is asked and their bytes are known to be elsewhere. Not safe for use by several threads.
 */
public final class Leftovers {

    private final boolean remove;
    private final Consumer<String> say;
    private final Map<Object, List<? extends Leftover<?>>> byFolder = new HashMap<>();
    private final Set<Object> settled = new HashSet<>();

    /**
     * @param remove whether leftovers are to be deleted
     * @param say takes a line for a person
     */
    public Leftovers(boolean remove, Consumer<String> say) {
        this.remove = remove;
        this.say = say;
    }

    /**
     * Looks after the leftovers of a file: takes up an interrupted replacement, names or removes the rest.
     *
     * @param source what the file is made of, which holds the bytes of a partial as long as it is there; null if there is no such file
     */
    public void settle(Location file, Location source) throws IOException {
        if (file instanceof FileLocation<?> known) {
            settle(known, source);
        }
    }

    private <P> void settle(FileLocation<P> file, Location source) throws IOException {
        FileOperations<P> files = file.files();
        if (!settled.add(files.key(file.path()))) {
            return;
        }
        List<Leftover<P>> all = ofFolder(file).stream()
                .filter(leftover -> leftover.name().equals(files.nameOf(file.path())))
                .toList();
        for (Leftover<P> leftover : all) {
            if (leftover.kind() == Leftover.Kind.REPLACED && files.look(leftover.path(), false) != null) {
                settleReplaced(file, leftover);
            }
        }
        for (Leftover<P> leftover : all) {
            if (leftover.kind() == Leftover.Kind.PARTIAL && files.look(leftover.path(), false) != null) {
                settlePartial(file, leftover, source);
            }
        }
    }

    /**
     * Puts back what interrupted calls had moved aside in a folder.
     *
     * @return whether there may be files now that were not there before
     */
    public boolean takeUp(Location folder) throws IOException {
        return folder instanceof FileLocation<?> known && takeUp(known);
    }

    private <P> boolean takeUp(FileLocation<P> folder) throws IOException {
        boolean changed = false;
        for (Leftover<P> leftover : listed(folder.files(), folder.path())) {
            if (leftover.kind() == Leftover.Kind.REPLACED) {
                settle(folder.inside(folder.files().resolve(folder.path(), leftover.name()), leftover.name()), null);
                changed = true;
            }
        }
        return changed;
    }

    /** Names the leftovers in a folder that belong to no file that was settled. */
    public void nameOthers(Location folder) throws IOException {
        if (folder instanceof FileLocation<?> known) {
            nameOthers(known);
        }
    }

    private <P> void nameOthers(FileLocation<P> folder) throws IOException {
        FileOperations<P> files = folder.files();
        for (Leftover<P> leftover : listed(files, folder.path())) {
            P target = files.resolve(folder.path(), leftover.name());
            if (settled.contains(files.key(target))) {
                continue;
            }
            FileLocation<P> file = folder.inside(target, leftover.name());
            settle(file, null);
        }
    }

    private <P> void settleReplaced(FileLocation<P> file, Leftover<P> leftover) throws IOException {
        FileOperations<P> files = file.files();
        P partial = Leftover.Kind.PARTIAL.of(files, file.path(), leftover.id());
        switch (new SteppedReplacement<>(files, file.path(), partial, leftover.path()).settle()) {
            case RESTORED -> say.accept(file.name() + ": was moved aside by an interrupted call, is back");
            case FINISHED -> say.accept(file.name() + ": was replaced by an interrupted call, which is finished now");
            default -> {
                // without its partial the name was taken by the whole of it
                boolean isReplaced = files.look(file.path(), false) != null && files.look(partial, false) == null;
                nameOrRemove(file, leftover, isReplaced);
            }
        }
    }

    private <P> void nameOrRemove(FileLocation<P> file, Leftover<P> leftover, boolean isElsewhere) throws IOException {
        FileOperations<P> files = file.files();
        String name = file.beside(files.nameOf(leftover.path())).name();
        if (!isElsewhere) {
            say.accept(name + ": left by an interrupted call, may be the only copy of " + file.name());
        } else if (remove) {
            files.delete(leftover.path());
            say.accept(name + ": left by an interrupted call, removed");
        } else {
            say.accept(name + ": left by an interrupted call, --clean removes it");
        }
    }

    private <P> void settlePartial(FileLocation<P> file, Leftover<P> leftover, Location source) throws IOException {
        FileOperations<P> files = file.files();
        if (files.isBeingWritten(leftover.path())) {
            return;
        }
        P aside = Leftover.Kind.REPLACED.of(files, file.path(), leftover.id());
        var publication = new SteppedReplacement<>(files, file.path(), leftover.path(), aside);
        if (!files.renamesAtomically() && publication.dropIncompleteCopy()) {
            say.accept(file.name() + ": an incomplete copy that an interrupted call left, removed");
        }
        // with its partial goes the sign that a file that was moved aside is not needed any more
        boolean isNeeded = files.look(aside, false) != null;
        nameOrRemove(file, leftover, !isNeeded && (file.exists() || source != null && source.exists()));
    }

    private <P> List<Leftover<P>> ofFolder(FileLocation<P> file) throws IOException {
        return listed(file.files(), file.files().parent(file.path()));
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
