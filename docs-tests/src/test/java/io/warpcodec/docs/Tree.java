package io.warpcodec.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of the project's tree, without what builds and editors make, and without frozen files. */
final class Tree {
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Tree() {}

    /** All files whose names end with a dot and one of these. */
    static List<Path> files(Set<String> suffixes) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return folder.equals(ROOT) || isOurs(folder.getFileName().toString())
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (attributes.isRegularFile() && suffixes.contains(name.substring(name.lastIndexOf('.') + 1))) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private static boolean isOurs(String folder) {
        return folder.equals(".github")
                || !folder.startsWith(".") && !Set.of("golden", "target").contains(folder);
    }
}
