package io.warpcodec.doctor;

import java.util.List;
import java.util.stream.Stream;

/** Published vulnerabilities of the libraries that hosts bring: only those whose fixed version is known for certain. */
enum KnownDefects {
    LZ4_OUT_OF_BOUNDS("lz4-java", "0", "1.8.1", "CVE-2025-12183"),
    LZ4_STALE_OUTPUT("lz4-java", "0", "1.10.1", "CVE-2025-66566"),
    SNAPPY_LENGTHS("snappy-java", "0", "1.1.10.1", "CVE-2023-34453", "CVE-2023-34454", "CVE-2023-34455"),
    SNAPPY_CHUNK_LENGTH("snappy-java", "0", "1.1.10.4", "CVE-2023-43642"),
    COMPRESS_ARCHIVES(
            "commons-compress", "0", "1.21", "CVE-2021-35515", "CVE-2021-35516", "CVE-2021-35517", "CVE-2021-36090"),
    COMPRESS_TAR("commons-compress", "1.22", "1.24.0", "CVE-2023-42503"),
    COMPRESS_DUMP("commons-compress", "1.3", "1.26.0", "CVE-2024-25710"),
    COMPRESS_PACK200("commons-compress", "1.21", "1.26.0", "CVE-2024-26308");

    private final String artifact;
    private final String first;
    private final String fixed;
    private final List<String> names;

    /**
     * @param first version that has it
     * @param fixed first version that does not have it any more
     */
    KnownDefects(String artifact, String first, String fixed, String... names) {
        this.artifact = artifact;
        this.first = first;
        this.fixed = fixed;
        this.names = List.of(names);
    }

    /** Those of one version of an artifact; none where the version is unknown. */
    static List<KnownDefects> of(String artifact, String version) {
        return Stream.of(values())
                .filter(each -> each.artifact.equals(artifact) && each.isIn(version))
                .toList();
    }

    List<String> names() {
        return names;
    }

    /** The lowest version without any of these. */
    static String fixedIn(List<KnownDefects> defects) {
        return defects.stream()
                .map(each -> each.fixed)
                .reduce((one, other) -> compare(one, other) < 0 ? other : one)
                .orElseThrow();
    }

    private boolean isIn(String version) {
        return version.matches("[0-9].*") && compare(version, first) >= 0 && compare(version, fixed) < 0;
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
