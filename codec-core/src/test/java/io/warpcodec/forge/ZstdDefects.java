package io.warpcodec.forge;

import static io.warpcodec.forge.ZstdBlockForge.CONTENT;
import static io.warpcodec.forge.ZstdBlockForge.ONE_SYMBOL;
import static io.warpcodec.forge.ZstdBlockForge.bits;
import static io.warpcodec.forge.ZstdBlockForge.codedLiterals;
import static io.warpcodec.forge.ZstdBlockForge.fields;
import static io.warpcodec.forge.ZstdBlockForge.fourStreams;
import static io.warpcodec.forge.ZstdBlockForge.noSequences;
import static io.warpcodec.forge.ZstdBlockForge.oneByteLiterals;
import static io.warpcodec.forge.ZstdBlockForge.sequenceFrom;
import static io.warpcodec.forge.ZstdBlockForge.sequences;
import static io.warpcodec.forge.ZstdBlockForge.treelessLiterals;
import static io.warpcodec.forge.ZstdBlockForge.weights;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Small frames without checksum, by name: with one defect each in a compressed block, and sound ones beside them. */
public final class ZstdDefects {
    /** Two symbols of a bit each. */
    private static final byte[] TREE = weights(1);

    private static final byte[] EIGHT_BITS = bits(0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1);
    private static final byte[] NO_BITS = bits();
    private static final byte[] TWO_BITS = bits(0, 1, 1, 1);
    private static final byte[] ALL_TABLES = {4, 2, 2};
    private static final int LEAST_WINDOW_LOG = 10;
    private static final int LEAST_WINDOW_BYTES = 1 << LEAST_WINDOW_LOG;
    /** Accuracy 5; four symbols without a state, and one with all 32. */
    private static final byte[] FOUR_ALONE = fields(0, 4, 1, 5, 3, 2, 0, 2, 63, 6);

    private ZstdDefects() {}

    private static ZstdBlockForge with(byte[] sequences) {
        return new ZstdBlockForge().sequences(sequences);
    }

    /** Literals alone. */
    private static ZstdBlockForge literals(byte[] section, int count) {
        return new ZstdBlockForge().literals(section).sequences(noSequences()).contentBytes(count);
    }

    /** A sequence whose literal lengths have this table. */
    private static byte[] described(int modes, byte[] tables) {
        return with(sequences(1, modes, tables, bits(3, 2))).frame();
    }

    /** Sound frames. */
    public static Map<String, byte[]> sound() {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        frames.put("as it comes", new ZstdBlockForge().frame());
        frames.put("one stream", literals(codedLiterals(8, TREE, EIGHT_BITS), 8).frame());
        frames.put(
                "four streams",
                literals(
                                fourStreams(
                                        8,
                                        TREE,
                                        new int[] {1, 1, 1},
                                        Bytes.concat(TWO_BITS, TWO_BITS, TWO_BITS, TWO_BITS)),
                                8)
                        .frame());
        frames.put(
                "a tree of the block before",
                literals(treelessLiterals(8, EIGHT_BITS), 16)
                        .behind(literals(codedLiterals(8, TREE, EIGHT_BITS), 8).block(false))
                        .frame());
        frames.put(
                "tables of the block before",
                with(sequences(1, 0xfc, new byte[0], bits(3, 2)))
                        .contentBytes(2L * CONTENT.length)
                        .behind(new ZstdBlockForge().block(false))
                        .frame());
        frames.put(
                "a described table",
                with(sequences(1, 0x94, Bytes.concat(FOUR_ALONE, new byte[] {2, 2}), bits(0, 5, 3, 2)))
                        .frame());
        frames.put(
                "two sequences",
                with(sequences(2, ONE_SYMBOL, new byte[] {2, 2, 2}, bits(0, 2, 0, 2)))
                        .contentBytes(8 + 2 * 5)
                        .frame());
        frames.put(
                "a block of its maximum",
                literals(oneByteLiterals('x', 128 << 10), 128 << 10).frame());
        return frames;
    }

    /** Frames that break a rule, and that libzstd decodes in one call: offsets beyond the window, within the frame. */
    public static Map<String, byte[]> tolerated() {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        byte[] window = new byte[LEAST_WINDOW_BYTES];
        for (int i = 0; i < window.length; i++) {
            window[i] = (byte) (i * i >> 3);
        }
        byte[] front = new ZstdForge()
                .rawBlock("front".getBytes(StandardCharsets.US_ASCII), false)
                .rawBlock(window, false)
                .rawBlock(window, false)
                .toArray();
        // four literals stand between the blocks in front and the match
        int mostBytes = "front".length() + 2 * window.length + 4;
        for (int distance : new int[] {window.length + 1, 2 * window.length, mostBytes}) {
            frames.put(
                    "an offset of " + distance + " bytes in a window of " + window.length,
                    with(sequenceFrom(distance))
                            .windowLog(LEAST_WINDOW_LOG)
                            .contentBytes(mostBytes - 4L + CONTENT.length)
                            .behind(front)
                            .frame());
        }
        return frames;
    }

    /** Frames that every decoder has to refuse. */
    public static Map<String, byte[]> all() {
        Map<String, byte[]> frames = new LinkedHashMap<>();
        literalDefects(frames);
        treeDefects(frames);
        tableDefects(frames);
        sequenceDefects(frames);
        return frames;
    }

    private static void literalDefects(Map<String, byte[]> frames) {
        frames.put(
                "literals over a block's maximum",
                literals(oneByteLiterals('x', (128 << 10) + 1), (128 << 10) + 1).frame());
        frames.put(
                "raw literals cut off",
                literals(fields(1, 2, 1, 2, 100, 12, 'a', 8, 'b', 8), 100).frame());
        frames.put(
                "coded literals cut off",
                literals(fields(2, 2, 0, 2, 8, 10, 900, 10, 128, 8, 16, 8), 8).frame());
        frames.put(
                "a tree that is not there",
                literals(treelessLiterals(8, EIGHT_BITS), 8).frame());
        frames.put(
                "a tree that is not there, behind a raw block",
                literals(treelessLiterals(8, EIGHT_BITS), 9)
                        .behind(new ZstdForge()
                                .rawBlock(new byte[] {'a'}, false)
                                .toArray())
                        .frame());
        frames.put(
                "literals left over",
                literals(codedLiterals(7, TREE, EIGHT_BITS), 7).frame());
        frames.put(
                "literals missing",
                literals(codedLiterals(9, TREE, EIGHT_BITS), 9).frame());
        frames.put(
                "a stream without an end",
                literals(codedLiterals(8, TREE, new byte[] {0}), 8).frame());
        frames.put(
                "a stream of no bytes",
                literals(codedLiterals(8, TREE, new byte[0]), 8).frame());
        byte[] four = Bytes.concat(TWO_BITS, TWO_BITS, TWO_BITS, TWO_BITS);
        frames.put(
                "a stream behind its literals",
                literals(fourStreams(8, TREE, new int[] {1, 1, 900}, four), 8).frame());
        frames.put(
                "a fourth stream of no bytes",
                literals(fourStreams(8, TREE, new int[] {1, 1, 2}, four), 8).frame());
        frames.put(
                "a second stream with too much",
                literals(
                                fourStreams(
                                        8,
                                        TREE,
                                        new int[] {1, 1, 1},
                                        Bytes.concat(TWO_BITS, bits(0, 1, 1, 1, 0, 1), TWO_BITS, TWO_BITS)),
                                8)
                        .frame());
        frames.put(
                "no table of streams",
                literals(fourStreams(8, TREE, new int[] {1}, new byte[0]), 8).frame());
    }

    private static void treeDefects(Map<String, byte[]> frames) {
        frames.put(
                "weights that do not add up",
                literals(codedLiterals(8, weights(3, 1), EIGHT_BITS), 8).frame());
        frames.put(
                "weights of nothing",
                literals(codedLiterals(8, weights(0, 0, 0), EIGHT_BITS), 8).frame());
        frames.put(
                "a code of thirteen bits",
                literals(codedLiterals(8, weights(13, 1), EIGHT_BITS), 8).frame());
        frames.put(
                "weights cut off",
                literals(codedLiterals(8, new byte[] {(byte) (127 + 40), 0x11}, new byte[0]), 8)
                        .frame());
        frames.put(
                "described weights cut off",
                literals(codedLiterals(8, new byte[] {100, 0x11}, EIGHT_BITS), 8)
                        .frame());
        frames.put(
                "weights with a table above its limit",
                literals(codedLiterals(8, Bytes.concat(new byte[] {4}, fields(2, 4, 0, 28)), EIGHT_BITS), 8)
                        .frame());
        frames.put(
                "no weights",
                literals(codedLiterals(8, new byte[] {0}, EIGHT_BITS), 8).frame());
    }

    private static void tableDefects(Map<String, byte[]> frames) {
        String[] names = {"literal lengths", "offsets", "match lengths"};
        int[] tooMany = {36, 32, 53};
        int[] nibbleAbove = {5, 4, 5};
        for (int table = 0; table < names.length; table++) {
            int at = 6 - 2 * table;
            int others = ONE_SYMBOL & ~(3 << at);
            frames.put(
                    "a table that is not there: " + names[table],
                    described(others | 3 << at, without(ALL_TABLES, table, new byte[0])));
            frames.put(
                    "a symbol that is none: " + names[table],
                    described(ONE_SYMBOL, without(ALL_TABLES, table, new byte[] {(byte) tooMany[table]})));
            frames.put(
                    "a table above its limit: " + names[table],
                    described(
                            others | 2 << at,
                            without(ALL_TABLES, table, fields(nibbleAbove[table], 4, 0, 60, 0, 64, 0, 64))));
            // accuracy 5, then symbols without a state, more of them than there may be
            frames.put(
                    "counts that do not add up: " + names[table],
                    described(
                            others | 2 << at,
                            without(ALL_TABLES, table, fields(0, 4, 1, 5, ~0 >>> 1, 31, ~0 >>> 1, 31, 0, 1))));
        }
        frames.put(
                "a table cut off",
                with(sequences(1, 0x94, fields(0, 4, 5, 4), new byte[0])).frame());
        frames.put(
                "tables cut off",
                with(sequences(1, ONE_SYMBOL, new byte[] {4}, new byte[0])).frame());
        frames.put("reserved modes", described(ONE_SYMBOL | 1, ALL_TABLES));
    }

    private static byte[] without(byte[] tables, int index, byte[] instead) {
        byte[] all = {};
        for (int table = 0; table < tables.length; table++) {
            all = Bytes.concat(all, table == index ? instead : new byte[] {tables[table]});
        }
        return all;
    }

    private static void sequenceDefects(Map<String, byte[]> frames) {
        frames.put(
                "sequences left over",
                with(sequences(1, ONE_SYMBOL, ALL_TABLES, bits(3, 2, 0, 1))).frame());
        frames.put(
                "sequences missing",
                with(sequences(2, ONE_SYMBOL, new byte[] {2, 2, 2}, bits(0, 2))).frame());
        frames.put(
                "bits without an end",
                with(sequences(1, ONE_SYMBOL, ALL_TABLES, new byte[] {7, 0})).frame());
        frames.put(
                "no bits",
                with(sequences(1, ONE_SYMBOL, ALL_TABLES, new byte[0])).frame());
        frames.put("no modes", with(new byte[] {1}).frame());
        frames.put("a count cut off", with(new byte[] {(byte) 200}).frame());
        frames.put("bytes behind no sequences", with(new byte[] {0, 0}).frame());
        // as it comes the offset is 4, to the first byte
        frames.put(
                "an offset before the frame",
                with(sequences(1, ONE_SYMBOL, new byte[] {4, 3, 2}, bits(0, 3))).frame());
        // the third repeated offset is 8; four bytes are there
        frames.put(
                "a repeated offset before the frame",
                with(sequences(1, ONE_SYMBOL, new byte[] {4, 1, 2}, bits(1, 1))).frame());
        // no literals, so the last one less one: nothing
        frames.put(
                "an offset of nothing",
                with(sequences(1, ONE_SYMBOL, new byte[] {0, 1, 2}, bits(1, 1)))
                        .contentBytes(14)
                        .behind(new ZstdForge()
                                .rawBlock(new byte[] {'a'}, false)
                                .toArray())
                        .frame());
        frames.put(
                "an offset of 32 bits",
                with(sequences(1, ONE_SYMBOL, new byte[] {4, 31, 2}, bits(-1 >>> 1, 31)))
                        .frame());
        frames.put(
                "more literals than there are",
                with(sequences(1, ONE_SYMBOL, new byte[] {9, 1, 2}, bits(0, 1))).frame());
        frames.put(
                "98,047 sequences",
                with(sequences(98_047, ONE_SYMBOL, new byte[] {0, 0, 0}, NO_BITS))
                        .contentBytes(8 + 3L * 98_047)
                        .frame());
        frames.put(
                "sequences over a block's maximum",
                with(sequences(2, ONE_SYMBOL, new byte[] {1, 0, 52}, bits(65_535, 16, 65_535, 16)))
                        .contentBytes(8 + 2L * (65_535 + 65_539))
                        .frame());
        frames.put(
                "a content size of one byte less",
                new ZstdBlockForge().contentBytes(CONTENT.length - 1).frame());
        frames.put(
                "a content size of one byte more",
                new ZstdBlockForge().contentBytes(CONTENT.length + 1).frame());
    }
}
