package io.warpcodec.cli;

import io.warpcodec.Format;

/**
 * What the head of a file says about its container.
 *
 * @param container the framing in words
 * @param checksum which checksum protects the content, {@code none} where none does
 * @param index which index the file carries, {@code none} where it carries none
 */
record ContainerHeader(String container, String checksum, String index) {

    private static final int SKIPPABLE_MAGIC = 0x184d2a50;
    private static final int LZ4_FRAME_MAGIC = 0x184d2204;
    private static final int LZ4_LEGACY_MAGIC = 0x184c2102;

    static ContainerHeader of(Format format, byte[] head) {
        return switch (format) {
            case GZIP -> gzip(head);
            case ZLIB -> new ContainerHeader("zlib", "Adler-32", "none");
            case BZIP2 -> new ContainerHeader("bzip2", "CRC-32", "not needed");
            case SNAPPY -> new ContainerHeader("Hadoop", "none", "none");
            case LZ4 -> lz4(head);
            case ZSTD -> zstd(head);
        };
    }

    /** Whether the file carries an index, ours or another. */
    boolean hasIndex() {
        return !index.equals("none");
    }

    private static ContainerHeader gzip(byte[] head) {
        String index = "none";
        if (head.length > 13 && (head[3] & 4) != 0) {
            if (head[12] == 'W' && head[13] == 'C' && head.length > 16) {
                index = "warpcodec, version " + head[16];
            } else if (head[12] == 'B' && head[13] == 'C') {
                index = "BGZF";
            }
        }
        return new ContainerHeader("gzip", "CRC-32", index);
    }

    private static ContainerHeader lz4(byte[] head) {
        int at = firstFrame(head);
        String index = at > 0 ? "skippable frame" : "none";
        if (at + 5 > head.length) {
            return new ContainerHeader(head.length < 4 ? "Hadoop" : "LZ4 frame", "none", index);
        }
        int magic = i32le(head, at);
        if (magic == LZ4_LEGACY_MAGIC) {
            return new ContainerHeader("LZ4 legacy frame", "none", index);
        }
        if (magic != LZ4_FRAME_MAGIC) {
            return new ContainerHeader("Hadoop", "none", "none");
        }
        boolean blocks = (head[at + 4] & 0x10) != 0;
        boolean content = (head[at + 4] & 0x04) != 0;
        String checksum = content ? blocks ? "XXH32, also of blocks" : "XXH32" : blocks ? "XXH32 of blocks" : "none";
        return new ContainerHeader("LZ4 frame", checksum, index);
    }

    private static ContainerHeader zstd(byte[] head) {
        int at = firstFrame(head);
        boolean checked = at + 5 <= head.length && (head[at + 4] & 0x04) != 0;
        return new ContainerHeader("zstd", checked ? "XXH64" : "none", at > 0 ? "skippable frame" : "none");
    }

    /** Where the first frame that is not skippable starts; behind the head if it is not in it. */
    private static int firstFrame(byte[] head) {
        long at = 0;
        while (at + 8 <= head.length && (i32le(head, (int) at) & ~0xf) == SKIPPABLE_MAGIC) {
            at += 8 + (i32le(head, (int) at + 4) & 0xffff_ffffL);
        }
        return (int) Math.min(at, head.length);
    }

    private static int i32le(byte[] head, int at) {
        return head[at] & 0xff | (head[at + 1] & 0xff) << 8 | (head[at + 2] & 0xff) << 16 | (head[at + 3] & 0xff) << 24;
    }
}
