package io.warpcodec.cli.input;

import io.warpcodec.Format;
import java.util.Locale;
import java.util.Map;

/**
 * What the end of a file's name says. Besides the suffixes of the formats, in capitals or not, there are the short
 * ones of archives, which gzip, bzip2 and zstd know too: {@code x.tgz} is {@code x.tar.gz}.
 *
 * @param format what the file is
 * @param stem the name of its content
 */
public record FileSuffix(Format format, String stem) {

    private static final Map<String, Format> OF_ARCHIVES =
            Map.of(".tgz", Format.GZIP, ".tbz2", Format.BZIP2, ".tbz", Format.BZIP2, ".tzst", Format.ZSTD);

    /** Null if the name ends with no suffix that is known, or is nothing else. */
    public static FileSuffix of(String fileName) {
        FileSuffix suffix = endOf(fileName);
        return suffix == null || suffix.stem.isEmpty() || suffix.stem.endsWith("/") ? null : suffix;
    }

    private static FileSuffix endOf(String fileName) {
        Format format = Format.ofFileName(fileName);
        if (format != null) {
            return new FileSuffix(format, without(fileName, format.suffix()));
        }
        String lowerCase = fileName.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, Format> archive : OF_ARCHIVES.entrySet()) {
            if (lowerCase.endsWith(archive.getKey()) && !lowerCase.equals(archive.getKey())) {
                return new FileSuffix(archive.getValue(), without(fileName, archive.getKey()) + ".tar");
            }
        }
        return null;
    }

    /** The format that the name says; null if it says none. */
    public static Format formatOf(String fileName) {
        FileSuffix suffix = of(fileName);
        return suffix == null ? null : suffix.format;
    }

    private static String without(String fileName, String suffix) {
        return fileName.substring(0, fileName.length() - suffix.length());
    }
}
