package io.warpcodec.engine.gpu.bzip2;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.KernelArguments;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import io.warpcodec.engine.Batch;
import io.warpcodec.engine.Chunk;
import io.warpcodec.engine.Lease;
import io.warpcodec.engine.cpu.CpuEngine;
import io.warpcodec.engine.gpu.block.BlockResult;
import io.warpcodec.format.EncodedChunk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The work of the kernels that encode bzip2 blocks in Java, for {@link ScriptedDriver}: the last of them has the CPU
 * engine do all of it. The sort's rounds are played: a block is tied for a few rounds, by its length, with windows
 * and without.
 */
public final class HostBzip2Encoder {
    private static final List<String> QUIET = List.of(
            "sort_count_wide",
            "sort_count_narrow",
            "sort_scatter_wide",
            "sort_scatter_narrow",
            "sort_scan_wide",
            "sort_scan_narrow");

    private static final CpuEngine CPU = new CpuEngine();

    private HostBzip2Encoder() {}

    /** By entry name. */
    public static Map<String, Kernel> all() {
        Map<String, Kernel> kernels = new HashMap<>();
        QUIET.forEach(name -> kernels.put(name, HostBzip2Encoder::requirePass));
        for (BwtEncodeKernels.Stage stage : BwtEncodeKernels.Stage.values()) {
            kernels.put("bwt_encode_" + stage.name().toLowerCase(java.util.Locale.ROOT), (memory, arguments) -> {});
        }
        Stream.of("mark", "scan", "replay")
                .forEach(step -> kernels.put("mtf_encode_" + step, HostBzip2Encoder::requireSymbols));
        Stream.of("begin", "count_runs", "scan_runs", "write_runs", "choose")
                .forEach(step -> kernels.put("bzip2_encode_" + step, (memory, arguments) -> {}));
        kernels.put("bwt_encode_begin", HostBzip2Encoder::requireApart);
        kernels.put("bwt_encode_split_blocks", (memory, arguments) -> playRound(memory, arguments, 0));
        kernels.put(
                "bwt_encode_refine_windows",
                (memory, arguments) -> playRound(memory, arguments, arguments.int32("round")));
        kernels.put("bzip2_encode_pack", HostBzip2Encoder::encode);
        return kernels;
    }

    /**
     * What follows a round: rotations that are tied, until as many rounds have been as there are blocks, four at most.
     */
    private static void playRound(ScriptedDriver memory, KernelArguments arguments, int round) throws DeviceException {
        boolean tied = round < Math.min(4, arguments.int32("block_count"));
        ByteBuffer counts = memory.at(
                arguments.int64("rounds") + (long) BwtEncodeKernels.COUNTS_BYTES * (round + 1),
                BwtEncodeKernels.COUNTS_BYTES);
        int segments = tied && round % 2 == 1 ? 1 : 0;
        counts.putInt(segments).putInt(segments).putInt(tied ? 7 : 0).putInt(tied ? 3 : 0);
    }

    private static void requirePass(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        long keyBytes = (long) Long.BYTES * arguments.int32("key_count");
        memory.at(arguments.int64("keys"), keyBytes);
        memory.at(arguments.int64("sorted_keys"), keyBytes);
        if (arguments.int64("keys") == arguments.int64("sorted_keys")) {
            throw new AssertionError("a pass sorts in place");
        }
    }

    private static void requireSymbols(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        long places = (long) BwtEncodeKernels.TILE_ROTATIONS * arguments.int32("tile_count");
        TreeMap<Long, Long> areas = new TreeMap<>();
        long chunks = places / MtfEncodeKernels.CHUNK_SYMBOLS;
        areas.put(arguments.int64("lasts"), chunks * MtfEncodeKernels.BYTES * Integer.BYTES);
        areas.put(arguments.int64("infos"), chunks * MtfEncodeKernels.INFO_BYTES);
        areas.put(arguments.int64("symbols"), Short.BYTES * (places + arguments.int32("block_count")));
        requireApart(memory, areas, 3);
    }

    /** All that the transform works on has memory of its own. */
    private static void requireApart(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        long tiles = arguments.int32("tile_count");
        long blocks = arguments.int32("block_count");
        long places = BwtEncodeKernels.TILE_ROTATIONS * tiles;
        Map<String, Long> sizes = new HashMap<>();
        Stream.of("text", "column").forEach(name -> sizes.put(name, places));
        Stream.of("keys_a", "keys_b").forEach(name -> sizes.put(name, Long.BYTES * places));
        Stream.of("ranks", "shared_a", "shared_b").forEach(name -> sizes.put(name, Integer.BYTES * places));
        sizes.put("heads", places / Byte.SIZE);
        sizes.put("added_heads", 2 * places / Byte.SIZE);
        Stream.of("window_ranges", "window_marks", "windows_a", "windows_b")
                .forEach(name -> sizes.put(name, Integer.BYTES * places / BwtEncodeKernels.WINDOW));
        sizes.put("codes", 257L * 256 * Short.BYTES * blocks);
        sizes.put("histograms", 640L * Integer.BYTES * tiles);
        sizes.put("tile_blocks", Integer.BYTES * tiles);
        Stream.of("segments_a", "segments_b").forEach(name -> sizes.put(name, 16L * Math.max(4 * tiles, blocks)));
        Stream.of("tile_segments_a", "tile_segments_b").forEach(name -> sizes.put(name, 5L * Integer.BYTES * tiles));
        sizes.put("rounds", 21L * BwtEncodeKernels.COUNTS_BYTES);
        sizes.put("entries", 16 * (blocks + 1));
        sizes.put("results", 8 * blocks);
        TreeMap<Long, Long> areas = new TreeMap<>();
        sizes.forEach((name, bytes) -> areas.put(arguments.int64(name), bytes));
        requireApart(memory, areas, sizes.size());
        if (arguments.int64("text_bytes") != places
                || arguments.int32("segment_capacity") != Math.max(4 * tiles, blocks)
                || arguments.int32("tile_capacity") != 5 * tiles) {
            throw new AssertionError("sizes that do not agree");
        }
    }

    private static void requireApart(ScriptedDriver memory, TreeMap<Long, Long> areas, int count)
            throws DeviceException {
        long limit = 0;
        for (Map.Entry<Long, Long> area : areas.entrySet()) {
            memory.at(area.getKey(), area.getValue());
            if (area.getKey() < limit || area.getKey() % 16 != 0) {
                throw new AssertionError("areas overlap, or are not aligned");
            }
            limit = area.getKey() + area.getValue();
        }
        if (areas.size() != count) {
            throw new AssertionError("areas begin at one place");
        }
    }

    private static void encode(ScriptedDriver memory, KernelArguments arguments) throws DeviceException {
        int count = arguments.int32("chunk_count");
        ByteBuffer entries = memory.at(arguments.int64("entries"), (long) Bzip2EncodeKernels.ENTRY_BYTES * (count + 1));
        ByteBuffer results = memory.at(arguments.int64("results"), (long) Bzip2EncodeKernels.RESULT_BYTES * count);
        int tiles = 0;
        int rawTiles = 0;
        for (int chunk = 0; chunk < count; chunk++) {
            long inputAt = entries.getLong();
            long outputAt = entries.getLong();
            byte[] raw = new byte[entries.getInt()];
            int slotBytes = entries.getInt();
            int firstTile = entries.getInt();
            int textLimit = entries.getInt();
            int firstRawTile = entries.getInt();
            int next = Bzip2EncodeKernels.ENTRY_BYTES * (chunk + 1);
            entries.position(next);
            int limitTile = entries.getInt(next + Bzip2EncodeKernels.FIRST_TILE_AT);
            int limitRawTile = entries.getInt(next + Bzip2EncodeKernels.FIRST_RAW_TILE_AT);
            long tileBytes = (long) (limitTile - firstTile) * Bzip2EncodeKernels.TILE_BYTES;
            long rawTileBytes = (long) (limitRawTile - firstRawTile) * Bzip2EncodeKernels.TILE_BYTES;
            if (inputAt + raw.length > arguments.int64("input_bytes")
                    || outputAt + slotBytes > arguments.int64("output_bytes")
                    || outputAt % Integer.BYTES != 0
                    || firstTile != tiles
                    || firstRawTile != rawTiles
                    || raw.length > rawTileBytes
                    || Math.min(textLimit, raw.length * 5L / 4) > tileBytes) {
                throw new AssertionError("a table entry reaches beyond its buffer, or its tiles do not suffice");
            }
            tiles = limitTile;
            rawTiles = limitRawTile;
            memory.at(arguments.int64("input") + inputAt, raw.length).get(raw);
            encode(
                    raw,
                    (textLimit + 20) / 100_000,
                    memory.at(arguments.int64("output") + outputAt, slotBytes),
                    results);
        }
        if (tiles != arguments.int32("tile_count") || rawTiles != arguments.int32("raw_tile_count")) {
            throw new AssertionError("wrong count of tiles");
        }
    }

    private static void encode(byte[] raw, int level, ByteBuffer slot, ByteBuffer results) {
        Chunk chunk = Chunk.raw(new Lease(ByteBuffer.wrap(raw), "raw", () -> {}), 0, raw.length, 0, 0);
        try (Batch<EncodedChunk> batch =
                CPU.encode(Format.BZIP2, CodecOptions.DEFAULTS.withLevel(level), List.of(chunk))) {
            EncodedChunk encoded = batch.take(0);
            boolean fits = encoded.checksums() == 1 && encoded.body().remaining() <= slot.remaining();
            if (fits) {
                slot.put(encoded.body().duplicate());
                results.putInt(0).putInt((int) encoded.bodyBits()).putInt(encoded.checksum());
            } else {
                results.putInt(BlockResult.Status.OUTPUT_EXCEEDED.ordinal())
                        .putInt(0)
                        .putInt(0);
            }
            results.putInt(raw.length);
            encoded.release().run();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
