package io.warpcodec.doctor;

import java.util.Optional;
import java.util.stream.Stream;

/**
 * The lowest versions without published vulnerabilities of libraries that hosts bring. SECURITY.md names the same, with
 * what each repairs.
 */
enum LeastVersion {
    LZ4_JAVA("lz4-java", "1.10.1"),
    SNAPPY_JAVA("snappy-java", "1.1.10.4"),
    COMMONS_COMPRESS("commons-compress", "1.26.0");

    private final String artifact;
    private final String version;

    LeastVersion(String artifact, String version) {
        this.artifact = artifact;
        this.version = version;
    }

    /** The version that an artifact should have; empty where it has that or a newer one, or its version is unknown. */
    static Optional<LeastVersion> above(String artifact, String version) {
        return Stream.of(values())
                .filter(least -> least.artifact.equals(artifact)
                        && version.matches("[0-9].*")
                        && compare(version, least.version) < 0)
                .findFirst();
    }

    String artifact() {
        return artifact;
    }

    String version() {
        return version;
    }

    /**
     * Compares the numbers that versions begin with: what vendors add behind a hyphen says nothing about what they
     * have repaired.
     */
    private static int compare(String one, String other) {
        String[] left = one.split("-", 2)[0].split("\\.");
        String[] right = other.split("-", 2)[0].split("\\.");
        for (int part = 0; part < Math.max(left.length, right.length); part++) {
            int difference = Integer.compare(number(left, part), number(right, part));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }

    private static int number(String[] parts, int part) {
        return part < parts.length && parts[part].matches("[0-9]{1,9}") ? Integer.parseInt(parts[part]) : 0;
    }
}
