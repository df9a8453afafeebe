package io.warpcodec.doctor;

import io.warpcodec.doctor.ClassPath.Place;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Copies of one jar on the class path: Spark copies the jar of an application for its executors, {@code hadoop jar}
 * unpacks it into a folder and takes both. A copy has the same bytes, so that it does not matter which one wins.
 */
final class JarCopies {
    private static final int BUFFER_BYTES = 1 << 16;

    private JarCopies() {}

    /** The places without copies, in their order. Of a jar and the folder that it was unpacked into the jar stays. */
    static List<Place> leaveOut(List<Place> places) {
        List<Place> different = new ArrayList<>();
        for (Place place : places) {
            int known = indexOfCopy(different, place);
            if (known < 0) {
                different.add(place);
            } else if (isFolder(different.get(known))) {
                different.set(known, place);
            }
        }
        return different;
    }

    private static int indexOfCopy(List<Place> places, Place place) {
        for (int index = 0; index < places.size(); index++) {
            if (areCopies(places.get(index), place)) {
                return index;
            }
        }
        return -1;
    }

    private static boolean areCopies(Place one, Place other) {
        try {
            Path first = path(one);
            Path second = path(other);
            if (Files.isDirectory(first)) {
                return Files.isRegularFile(second) && isUnpacked(second, first);
            }
            return Files.isDirectory(second) ? isUnpacked(first, second) : Files.mismatch(first, second) < 0;
        } catch (IOException | IllegalArgumentException unreadable) {
            return false;
        }
    }

    private static boolean isFolder(Place place) {
        return Files.isDirectory(path(place));
    }

    /** Places have the paths of URLs, in which some characters are written otherwise. */
    private static Path path(Place place) {
        return Path.of(URI.create("file:" + place.path()));
    }

    /** Whether the folder has all classes of the jar, with the same bytes, and no others. */
    private static boolean isUnpacked(Path jar, Path folder) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            List<JarEntry> classes = file.stream()
                    .filter(entry -> entry.getName().endsWith(".class"))
                    .toList();
            if (classes.size() != countClasses(folder)) {
                return false;
            }
            for (JarEntry entry : classes) {
                Path unpacked = folder.resolve(entry.getName());
                if (!Files.isRegularFile(unpacked) || checksum(unpacked) != entry.getCrc()) {
                    return false;
                }
            }
            return !classes.isEmpty();
        }
    }

    private static long countClasses(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".class")).count();
        }
    }

    private static long checksum(Path file) throws IOException {
        CRC32 checksum = new CRC32();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int count = in.read(buffer); count > 0; count = in.read(buffer)) {
                checksum.update(buffer, 0, count);
            }
        }
        return checksum.getValue();
    }
}
