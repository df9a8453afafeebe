package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.Location;

/**
 * A file that a verb works on.
 *
 * @param file where it is
 * @param path where it goes below an output folder: its name, or its path from the folder that it was found in
 * @param isNamed whether the command line names the file itself; false if it was found in a folder
 */
record InputFile(Location file, String path, boolean isNamed) {

    static InputFile named(Location file) {
        return new InputFile(file, file.fileName(), true);
    }

    /** This file, reached in another way. */
    InputFile at(Location reached) {
        return new InputFile(reached, path, isNamed);
    }

    static InputFile found(Location.Found found) {
        return new InputFile(found.file(), found.path(), false);
    }
}
