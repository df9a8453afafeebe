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
     * A file by its URI. The names of files beside and below it are URIs too, with what a URI does not hold as it is
     * escaped. A text that is no URI, or one with a query or a fragment, which files do not have, is the path as it
     * stands.
     */
    static Location ofUri(String name) throws IOException {
        URI uri = uriOf(name);
        String path = uri == null ? literal(name) : uri.getPath();
        return new FileLocation<>(Volumes.of(FILES), pathOf(path), name, LocalNames::uriBelow);
    }

    private static URI uriOf(String name) {
        try {
            URI uri = new URI(name);
            boolean isPath = uri.getPath() != null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            return isPath ? uri : null;
        } catch (URISyntaxException asItStands) {
            return null;
        }
    }

    private static String literal(String name) {
        return name.replaceFirst("^file:(//(?=/))?", "");
    }

    private static String uriBelow(String folder, String part) {
        String known = uriOf(folder) == null ? "file://" + escaped(literal(folder)) : folder;
        return known + escaped("/" + part).substring(1);
    }

    /** A path as a URI has it. */
    private static String escaped(String path) {
        try {
            return new URI(null, null, path, null).toASCIIString();
        } catch (URISyntaxException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    private static Path pathOf(String name) throws IOException {
        try {
            return Path.of(name);
        } catch (InvalidPathException wrong) {
            throw new FileProblem(name, "not a file name");
        }
    }
}
