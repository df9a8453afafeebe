package io.warpcodec.engine.gpu;

import io.warpcodec.device.DeviceBuffer;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.DeviceStream;
import io.warpcodec.device.PinnedBuffer;
import io.warpcodec.device.Wave;
import io.warpcodec.device.WaveProgram;
import io.warpcodec.engine.Direction;
import java.util.Arrays;

/** Decodes or encodes the blocks of all {@link BlockJob}s of a wave in one launch, hashes raw bytes where wanted, and brings every task its output. */
final class BlockProgram implements WaveProgram {
    // Workspace and staging: the tables of the blocks, then those of the contents.

    /** DEFLATE's scratch is that much longer than a wave: no more than long LZ4 blocks need, and two warps for each 64 KiB. */
    private static final int SCRATCH_TO_WAVE = 4;

    private final Launch launch;
    private final AutoCloseable kernels;
    private final ChecksumGpuDigester digester;
    private final Direction direction;
    private final Hashing hashing;

    /** What the launchers of formats made of blocks have in common. */
    private interface Launch {
        /** @param windowBytes how far before its place, or before its raw bytes where it is encoded, each block's matches may reach */
        void enqueue(Wave wave, ChunkRanges blocks, ChunkRanges places, int[] windowBytes) throws DeviceException;

        default long workspaceBytes(int blockCount) {
            return BlockBatch.workspaceBytes(blockCount);
        }

        default long scratchBytes(int waveBytes, int blockCount) {
            return 0;
        }

        default BlockResult[] results(int blockCount, PinnedBuffer staging) {
            return BlockBatch.results(blockCount, staging);
        }
    }

    /** The same where blocks stand alone. */
    private interface AloneLaunch {
        void enqueue(
                DeviceBuffer input,
                ChunkRanges blocks,
                DeviceBuffer output,
                ChunkRanges places,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException;
    }

    private static Launch alone(AloneLaunch launch) {
        return (wave, blocks, places, windowBytes) -> launch.enqueue(
                wave.input(), blocks, wave.output(), places, wave.workspace(), wave.staging(), wave.stream());
    }

    /** How contents are hashed. */
    private interface Hashing {
        long workspaceBytes(int contentCount);

        void enqueue(
                ChecksumGpuDigester digester,
                DeviceBuffer raw,
                ChunkRanges contents,
                int[] seeds,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException;

        int[] values(ChecksumGpuDigester digester, int contentCount, PinnedBuffer staging);
    }

    private static final Hashing XX_HASH_32 = new Hashing() {
        @Override
        public long workspaceBytes(int contentCount) {
            return ChecksumGpuDigester.xxHash32WorkspaceBytes(contentCount);
        }

        @Override
        public void enqueue(
                ChecksumGpuDigester digester,
                DeviceBuffer raw,
                ChunkRanges contents,
                int[] seeds,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException {
            digester.enqueueXxHash32(raw, contents, seeds, workspace, staging, stream);
        }

        @Override
        public int[] values(ChecksumGpuDigester digester, int contentCount, PinnedBuffer staging) {
            return digester.xxHash32Values(contentCount, staging);
        }
    };

    /** Has no seeds. */
    private static final Hashing CRC_32 = new Hashing() {
        @Override
        public long workspaceBytes(int contentCount) {
            return ChecksumGpuDigester.workspaceBytes(contentCount);
        }

        @Override
        public void enqueue(
                ChecksumGpuDigester digester,
                DeviceBuffer raw,
                ChunkRanges contents,
                int[] seeds,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException {
            digester.enqueueCrc32(raw, contents, workspace, staging, stream);
        }

        @Override
        public int[] values(ChecksumGpuDigester digester, int contentCount, PinnedBuffer staging) {
            return digester.crc32Values(contentCount, staging);
        }
    };

    private BlockProgram(Direction direction, Launch launch, AutoCloseable kernels, ChecksumGpuDigester digester) {
        this(direction, launch, kernels, digester, XX_HASH_32);
    }

    private BlockProgram(
            Direction direction, Launch launch, AutoCloseable kernels, ChecksumGpuDigester digester, Hashing hashing) {
        this.direction = direction;
        this.launch = launch;
        this.kernels = kernels;
        this.digester = digester;
        this.hashing = hashing;
    }

    /** Takes both over. */
    static BlockProgram of(Lz4GpuDecoder decoder, ChecksumGpuDigester digester) {
        AloneLaunch launch = (input, blocks, output, places, workspace, staging, stream) -> decoder.enqueueDecode(
                Lz4GpuDecoder.Strategy.GATHER, input, blocks, output, places, workspace, staging, stream);
        return new BlockProgram(Direction.DECODE, alone(launch), decoder, digester);
    }

    /** Takes both over. Hashes are CRC-32. */
    static BlockProgram of(DeflateGpuDecoder decoder, ChecksumGpuDigester digester) {
        Launch launch = new Launch() {
            @Override
            public void enqueue(Wave wave, ChunkRanges blocks, ChunkRanges places, int[] windowBytes)
                    throws DeviceException {
                decoder.enqueueDecode(
                        DeflateGpuDecoder.Strategy.of(blocks.count()),
                        wave.input(),
                        blocks,
                        wave.output(),
                        places,
                        wave.workspace(),
                        wave.staging(),
                        wave.scratch(),
                        wave.stream());
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                return DeflateGpuDecoder.scratchBytes(blockCount, (long) SCRATCH_TO_WAVE * waveBytes);
            }
        };
        return new BlockProgram(Direction.DECODE, launch, decoder, digester, CRC_32);
    }

    /** Takes it over. Jobs must not ask for hashes. */
    static BlockProgram of(Lz4GpuLongDecoder decoder) {
        Launch launch = new Launch() {
            @Override
            public void enqueue(Wave wave, ChunkRanges blocks, ChunkRanges places, int[] windowBytes)
                    throws DeviceException {
                decoder.enqueueDecode(
                        wave.input(),
                        blocks,
                        wave.output(),
                        places,
                        windowBytes,
                        wave.workspace(),
                        wave.staging(),
                        wave.scratch(),
                        wave.stream());
            }

            @Override
            public long workspaceBytes(int blockCount) {
                return LongBlockBatch.workspaceBytes(blockCount);
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                return LongBlockBatch.scratchBytes(waveBytes, waveBytes, blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return LongBlockBatch.results(blockCount, staging);
            }
        };
        return new BlockProgram(Direction.DECODE, launch, decoder, null);
    }

    /** Takes both over. */
    static BlockProgram of(Lz4GpuEncoder encoder, ChecksumGpuDigester digester) {
        AloneLaunch launch = (input, blocks, output, places, workspace, staging, stream) -> encoder.enqueueEncode(
                EncodeLevel.FAST,
                Lz4GpuEncoder.Nesting.FREE,
                input,
                blocks,
                output,
                places,
                workspace,
                staging,
                stream);
        return new BlockProgram(Direction.ENCODE, alone(launch), encoder, digester);
    }

    /** Jobs must not ask for hashes. */
    static BlockProgram of(SnappyGpuDecoder decoder) {
        return new BlockProgram(Direction.DECODE, alone(decoder::enqueueDecode), decoder, null);
    }

    /** Jobs must not ask for hashes. */
    static BlockProgram of(SnappyGpuEncoder encoder) {
        AloneLaunch launch = (input, blocks, output, places, workspace, staging, stream) ->
                encoder.enqueueEncode(EncodeLevel.FAST, input, blocks, output, places, workspace, staging, stream);
        return new BlockProgram(Direction.ENCODE, alone(launch), encoder, null);
    }

    /**
     * Takes both over. Jobs have the CRC-32 of raw bytes computed.
     *
     * @param digester null if jobs must not ask for hashes
     */
    static BlockProgram of(
            DeflateGpuEncoder encoder,
            EncodeLevel level,
            DeflateGpuEncoder.Ending ending,
            ChecksumGpuDigester digester) {
        Launch launch = new Launch() {
            @Override
            public void enqueue(Wave wave, ChunkRanges blocks, ChunkRanges places, int[] windowBytes)
                    throws DeviceException {
                encoder.enqueueEncode(
                        level,
                        ending,
                        wave.input(),
                        blocks,
                        windowBytes,
                        wave.output(),
                        places,
                        wave.workspace(),
                        wave.staging(),
                        wave.scratch(),
                        wave.stream());
            }

            @Override
            public long workspaceBytes(int blockCount) {
                return DeflateGpuEncoder.workspaceBytes(blockCount);
            }

            @Override
            public long scratchBytes(int waveBytes, int blockCount) {
                return DeflateGpuEncoder.scratchBytes(waveBytes, blockCount);
            }

            @Override
            public BlockResult[] results(int blockCount, PinnedBuffer staging) {
                return encoder.results(blockCount, staging);
            }
        };
        return new BlockProgram(Direction.ENCODE, launch, encoder, digester, CRC_32);
    }

    @Override
    public long workspaceBytes(int unitCount) {
        return launch.workspaceBytes(unitCount) + (digester == null ? 0 : hashing.workspaceBytes(unitCount));
    }

    @Override
    public long scratchBytes(int waveBytes, int unitCount) {
        return launch.scratchBytes(waveBytes, unitCount);
    }

    @Override
    public boolean advance(Wave wave, int step) throws DeviceException {
        if (step == 0) {
            launch(wave);
            hash(wave);
            for (Wave.Part part : wave.parts()) {
                int bytes = ((BlockJob) part.job()).outputLimit();
                if (bytes > 0) {
                    wave.download(part, bytes);
                }
            }
            return true;
        }
        BlockResult[] results = launch.results(wave.unitCount(), wave.staging());
        int first = 0;
        for (Wave.Part part : wave.parts()) {
            int limit = first + part.job().unitCount();
            ((BlockJob) part.job()).setResults(Arrays.copyOfRange(results, first, limit));
            first = limit;
        }
        shareHashes(wave);
        return false;
    }

    private void launch(Wave wave) throws DeviceException {
        int count = wave.unitCount();
        long[] blockAt = new long[count];
        long[] blockBytes = new long[count];
        long[] placeAt = new long[count];
        long[] placeBytes = new long[count];
        int[] windowBytes = new int[count];
        int at = 0;
        for (Wave.Part part : wave.parts()) {
            BlockJob job = (BlockJob) part.job();
            for (int block = 0; block < job.unitCount(); block++, at++) {
                blockAt[at] = part.inputOffset() + job.inputAt(block);
                blockBytes[at] = job.inputBytes(block);
                placeAt[at] = part.outputOffset() + job.outputAt(block);
                placeBytes[at] = job.outputBytes(block);
                windowBytes[at] = job.windowBytes(block);
            }
        }
        launch.enqueue(wave, new ChunkRanges(blockAt, blockBytes), new ChunkRanges(placeAt, placeBytes), windowBytes);
    }

    private static int contentCount(Wave wave) {
        int count = 0;
        for (Wave.Part part : wave.parts()) {
            count += ((BlockJob) part.job()).contentCount();
        }
        return count;
    }

    private PinnedBuffer hashStaging(Wave wave, int count) {
        int at = Math.toIntExact(launch.workspaceBytes(wave.unitCount()));
        return wave.staging().slice(at, Math.toIntExact(hashing.workspaceBytes(count)));
    }

    private void hash(Wave wave) throws DeviceException {
        int count = contentCount(wave);
        if (count == 0) {
            return;
        }
        long[] contentAt = new long[count];
        long[] contentBytes = new long[count];
        int[] seeds = new int[count];
        boolean rawIsOutput = direction == Direction.DECODE;
        int at = 0;
        for (Wave.Part part : wave.parts()) {
            BlockJob job = (BlockJob) part.job();
            long rawAt = rawIsOutput ? part.outputOffset() : part.inputOffset();
            for (int content = 0; content < job.contentCount(); content++, at++) {
                contentAt[at] = rawAt + job.contentAt(content);
                contentBytes[at] = job.contentBytes(content);
                seeds[at] = job.contentSeed(content);
            }
        }
        hashing.enqueue(
                digester,
                rawIsOutput ? wave.output() : wave.input(),
                new ChunkRanges(contentAt, contentBytes),
                seeds,
                wave.workspace().slice(launch.workspaceBytes(wave.unitCount()), hashing.workspaceBytes(count)),
                hashStaging(wave, count),
                wave.stream());
    }

    private void shareHashes(Wave wave) {
        int count = contentCount(wave);
        if (count == 0) {
            return;
        }
        int[] hashes = hashing.values(digester, count, hashStaging(wave, count));
        int first = 0;
        for (Wave.Part part : wave.parts()) {
            BlockJob job = (BlockJob) part.job();
            int limit = first + job.contentCount();
            job.setContentHashes(Arrays.copyOfRange(hashes, first, limit));
            first = limit;
        }
    }

    @Override
    public void close() {
        if (digester != null) {
            digester.close();
        }
        try {
            kernels.close();
        } catch (Exception impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
