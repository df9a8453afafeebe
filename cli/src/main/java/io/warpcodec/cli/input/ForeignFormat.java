package io.warpcodec.cli.input;

import io.warpcodec.format.SkippableFrames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/** What a file is that none of our formats is, by its first bytes; and which program reads it. */
public enum ForeignFormat {
    XZ("fd377a585a00", "xz", "use xz -d"),
    LZIP("4c5a4950", "lzip", "use lzip -d"),
    LZOP("894c5a4f000d0a1a", "lzop", "use lzop -d"),
    COMPRESS("1f9d", "compress (.Z)", "use uncompress"),
    ZIP("504b0304", "zip", "use unzip"),
    EMPTY_ZIP("504b0506", "zip", "use unzip"),
    SEVEN_ZIP("377abcaf271c", "7z", "use 7z x"),
    RAR("526172211a07", "rar", "use unrar x"),
    PARQUET("50415231", "Parquet", "it is compressed inside"),
    ORC("4f5243", "ORC", "it is compressed inside"),
    AVRO("4f626a01", "Avro", "it is compressed inside"),
    SEQUENCE_FILE("534551", "a SequenceFile", "it is compressed inside; hadoop fs -text shows it");

    /** How many bytes tell. */
    private static final int MOST_BYTES = 8;

    private final byte[] magic;
    private final String words;
    private final String remedy;

    ForeignFormat(String magic, String words, String remedy) {
        this.magic = HexFormat.of().parseHex(magic);
        this.words = words;
        this.remedy = remedy;
    }

    /**
     * Why an input is no compressed file of ours, in words that go on behind its name.
     *
     * @param source of which no format is known; supports mark, and is set back
     */
    public static String reason(InputStream source) throws IOException {
        source.mark(MOST_BYTES);
        byte[] head = source.readNBytes(MOST_BYTES);
        source.reset();
        if (head.length == 0) {
            return "is empty: no compressed file";
        }
        if (SkippableFrames.isAt(ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN), 0)) {
            return "begins with a long skippable frame, as files of lz4 and zstd do";
        }
        for (ForeignFormat each : values()) {
            if (head.length >= each.magic.length && Arrays.equals(each.magic, Arrays.copyOf(head, each.magic.length))) {
                return "is " + each.words + ", not one of ours: " + each.remedy;
            }
        }
        return "is not compressed, by its first bytes and its name";
    }
}
