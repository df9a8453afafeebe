package io.warpcodec.cli.option;

import io.warpcodec.cli.file.Leftovers;
import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.terminal.SpeechOption;
import io.warpcodec.cli.terminal.Terminal;
import java.io.IOException;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** What verbs that write do about the files that killed calls left behind. */
public final class CleanOption {

    @Option(
            names = "--clean",
            description = "Remove what killed calls left of the files that this one writes (.NAME.partial-...), "
                    + "where its bytes are elsewhere. No other call may be at work on them.")
    private boolean clean;

    private Leftovers leftovers;

    private Consumer<String> say = Terminal::complain;

    /** Has leftovers named as notes of a verb. */
    public void sayBy(SpeechOption speech) {
        say = speech::note;
    }

    private Leftovers leftovers() {
        if (leftovers == null) {
            leftovers = new Leftovers(clean, say);
        }
        return leftovers;
    }

    /** Looks after the leftovers of an output, which is made of the source, and of the source itself. */
    public void settle(Location output, Location source) throws IOException {
        leftovers().settle(source, null);
        leftovers().settle(output, source);
    }

    /** Puts a file back that an interrupted call had moved aside. */
    public void settle(Location file) throws IOException {
        leftovers().settle(file, null);
    }

    /** The files of a folder, with those that interrupted calls had moved aside: they are put back. */
    public Location.Tree treeOf(Location folder, Location except) throws IOException {
        Location.Tree tree = folder.tree(except);
        boolean changed = false;
        for (Location inside : tree.folders()) {
            changed |= leftovers().takeUp(inside);
        }
        return changed ? folder.tree(except) : tree;
    }

    /** Looks after all leftovers in the folders of a tree that belong to no file that was settled. */
    public void settleOthers(Location.Tree tree) throws IOException {
        for (Location folder : tree.folders()) {
            leftovers().nameOthers(folder);
        }
    }
}
