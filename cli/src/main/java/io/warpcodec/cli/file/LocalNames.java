package io.warpcodec.cli.file;

import io.warpcodec.cli.file.system.FileProblem;
import io.warpcodec.cli.file.system.LocalFiles;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** The ways in which a person names a local file. */
final class LocalNames {

    private static final LocalFiles FILES = new LocalFiles();

    private LocalNames() {}

    static Location of(String name) throws IOException {
        return new FileLocation<>(Volumes.of(FILES), pathOf(name), name, FileLocation.PASTED);
    }

    /**
     * A file by its URI. The names of files beside and below it are URIs too, with what a URI does not hold as it is escaped. A text that is no URI, or one
     * with a query or a fragment, which files do not have, is the path as it stands.
     */
    static Location ofUri(String name) throws IOException {
        String literal = name.replaceFirst("^file:(//(?=/))?", "");
        String path = literal;
        try {
            URI uri = new URI(name);
            if (uri.getPath() != null && uri.getRawQuery() == null && uri.getRawFragment() == null) {
                path = uri.getPath();
            }
        } catch (URISyntaxException asItStands) {
            // the literal path
        }
        return new FileLocation<>(
                Volumes.of(FILES),
                pathOf(path),
                name,
                (known, pasted) -> ((Path) known).toUri().toString());
    }

    private static Path pathOf(String name) throws IOException {
        try {
            return Path.of(name);
        } catch (InvalidPathException wrong) {
            throw new FileProblem(name, "not a file name");
        }
    }
}
