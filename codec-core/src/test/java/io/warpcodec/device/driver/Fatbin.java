package io.warpcodec.device.driver;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The images in a fatbin. Its layout is little-endian: a header, then the images. The header is the magic, 2 bytes
 * version, 2 bytes length of the header, and 8 bytes length of all images. Each image has a header of its own: 2 bytes
 * kind, 2 unknown, 4 length of this header, 8 length of the content. At byte 28 of the image is the compute capability.
 */
public record Fatbin(List<Image> images) {

    private static final int MAGIC = 0xBA55ED50;
    private static final int PORTABLE = 1;
    private static final int MACHINE = 2;
    private static final int CAPABILITY_OFFSET = 28;

    /** One image; portable code may be compressed. */
    public record Image(boolean machine, int capability, ByteBuffer content) {
        /** As the compiler's options call it. */
        String target() {
            return (machine ? "sm_" : "compute_") + capability;
        }
    }

    public static Fatbin parse(byte[] content) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt(0) != MAGIC) {
            throw new IOException("no fatbin");
        }
        long limit = in.getShort(6) + in.getLong(8);
        List<Image> images = new ArrayList<>();
        for (long at = in.getShort(6); at < limit; ) {
            int start = Math.toIntExact(at);
            int kind = in.getShort(start);
            if (kind != PORTABLE && kind != MACHINE) {
                throw new IOException("an image of kind " + kind + " at " + at);
            }
            long bytes = in.getLong(start + 8);
            ByteBuffer image = in.slice(start + in.getInt(start + 4), Math.toIntExact(bytes));
            images.add(new Image(kind == MACHINE, in.getInt(start + CAPABILITY_OFFSET), image));
            at += in.getInt(start + 4) + bytes;
        }
        return new Fatbin(images);
    }

    /** Prints the bytes of each image of each fatbin in a jar: a row for each fatbin, a column for each target. */
    public static void main(String[] jars) throws IOException {
        for (String jar : jars) {
            System.out.println(Path.of(jar).getFileName() + ", " + Files.size(Path.of(jar)) + " bytes");
            print(read(Path.of(jar)));
        }
    }

    private static SortedMap<String, Fatbin> read(Path jar) throws IOException {
        SortedMap<String, Fatbin> found = new TreeMap<>();
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            for (ZipEntry entry : zip.stream()
                    .filter(each -> each.getName().endsWith(".fatbin"))
                    .toList()) {
                try (InputStream in = zip.getInputStream(entry)) {
                    String word =
                            Path.of(entry.getName()).getFileName().toString().replace(".fatbin", "");
                    found.put(word, parse(in.readAllBytes()));
                }
            }
        }
        return found;
    }

    private static void print(SortedMap<String, Fatbin> fatbins) {
        boolean first = true;
        for (var each : fatbins.entrySet()) {
            if (first) {
                System.out.printf("%-16s", "");
                each.getValue().images.forEach(image -> System.out.printf("%12s", image.target()));
                System.out.println();
                first = false;
            }
            System.out.printf("%-16s", each.getKey());
            each.getValue().images.forEach(image -> System.out.printf("%12d", image.content.remaining()));
            System.out.println();
        }
    }
}
