package io.warpcodec.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One format's version among the golden files.
 *
 * @param path the folder
 */
public record GoldenFolder(Path path) {

    /**
     * One line of {@code EXPECTED.tsv}.
     *
     * @param expect {@code good}, {@code bad}, or {@code trail}: good bytes and then an error
     * @param rawSha256 of the raw bytes; {@code -} where {@code expect} is {@code bad}
     */
    public record Line(String name, String sha256, String expect, String rawSha256, String note) {
        public boolean isGood() {
            return expect.equals("good");
        }

        @Override
        public String toString() {
            return expect + " " + name;
        }
    }

    /** The folder of all golden files. */
    public static Path root() {
        return Path.of(System.getProperty("warpcodec.golden", "../golden"));
    }

    /** The versions of a format, oldest first. */
    public static List<GoldenFolder> of(String format) throws IOException {
        try (Stream<Path> versions = Files.list(root().resolve(format))) {
            return versions.sorted().map(GoldenFolder::new).toList();
        }
    }

    public List<Line> lines() throws IOException {
        List<String> all = Files.readAllLines(path.resolve("EXPECTED.tsv"));
        List<String> columns = Arrays.asList(all.get(0).split("\t", -1));
        List<Line> lines = new ArrayList<>();
        for (String text : all.subList(1, all.size())) {
            String[] cells = text.split("\t", -1);
            lines.add(new Line(
                    cells[columns.indexOf("path")],
                    cells[columns.indexOf("sha256")],
                    cells[columns.indexOf("expect")],
                    cells[columns.indexOf("out_sha256")],
                    cells[columns.indexOf("note")]));
        }
        return lines;
    }

    public byte[] read(String name) throws IOException {
        return Files.readAllBytes(path.resolve(name));
    }

    /** All files of the folder but its list. */
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> path.relativize(file).toString())
                    .filter(name -> !name.equals("EXPECTED.tsv"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public String toString() {
        return path.getParent().getFileName() + "/" + path.getFileName();
    }
}
