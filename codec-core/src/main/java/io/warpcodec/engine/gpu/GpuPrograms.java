package io.warpcodec.engine.gpu;

import io.warpcodec.Format;
import io.warpcodec.device.Device;
import io.warpcodec.device.DeviceException;
import io.warpcodec.device.KernelUnavailableException;
import io.warpcodec.device.WaveProgram;
import io.warpcodec.device.WavePrograms;
import io.warpcodec.engine.Direction;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Everything that this engine does on a device. */
final class GpuPrograms implements WavePrograms {
    /** Whether devices do this format's work. */
    static boolean supports(Format format) {
        return switch (format) {
            case LZ4, SNAPPY, GZIP, ZLIB -> true;
            default -> false;
        };
    }

    /** The program that does this work. */
    static String name(Format format, Direction direction) {
        return direction.word() + "." + format.word();
    }

    /** The program that encodes this format at this level; LZ4 and Snappy have one level. */
    static String encoding(Format format, EncodeLevel level) {
        String name = name(format, Direction.ENCODE);
        return format == Format.GZIP || format == Format.ZLIB
                ? name + "." + level.name().toLowerCase(Locale.ROOT)
                : name;
    }

    /** Decodes long LZ4 blocks and chains of blocks, for sessions. */
    static final String LONG_LZ4 = "decode.lz4.long";

    /** Decodes segments of single DEFLATE streams, for sessions. */
    static final String SEGMENTS = "decode.deflate.segments";

    /** Loads one program. */
    private interface Loading {
        WaveProgram load(Device device) throws KernelUnavailableException, DeviceException;
    }

    private static WaveProgram lz4Decoder(Device device) throws KernelUnavailableException, DeviceException {
        Lz4GpuDecoder decoder = Lz4GpuDecoder.open(device);
        try {
            return BlockProgram.of(decoder, ChecksumGpuDigester.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            decoder.close();
            throw failed;
        }
    }

    private static WaveProgram gzipDecoder(Device device) throws KernelUnavailableException, DeviceException {
        DeflateGpuDecoder decoder = DeflateGpuDecoder.open(device);
        try {
            return BlockProgram.of(decoder, ChecksumGpuDigester.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            decoder.close();
            throw failed;
        }
    }

    private static WaveProgram lz4Encoder(Device device) throws KernelUnavailableException, DeviceException {
        Lz4GpuEncoder encoder = Lz4GpuEncoder.open(device);
        try {
            return BlockProgram.of(encoder, ChecksumGpuDigester.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            encoder.close();
            throw failed;
        }
    }

    private static WaveProgram gzipEncoder(Device device, EncodeLevel level)
            throws KernelUnavailableException, DeviceException {
        DeflateGpuEncoder encoder = DeflateGpuEncoder.open(device);
        try {
            return BlockProgram.of(encoder, level, DeflateGpuEncoder.Ending.STREAM, ChecksumGpuDigester.open(device));
        } catch (KernelUnavailableException | DeviceException | RuntimeException failed) {
            encoder.close();
            throw failed;
        }
    }

    /** Hashes nothing: the device has no Adler-32. */
    private static WaveProgram zlibEncoder(Device device, EncodeLevel level)
            throws KernelUnavailableException, DeviceException {
        return BlockProgram.of(DeflateGpuEncoder.open(device), level, DeflateGpuEncoder.Ending.FLUSH, null);
    }

    @Override
    public Map<String, WaveProgram> load(Device device) throws KernelUnavailableException, DeviceException {
        Map<String, Loading> loadings = new LinkedHashMap<>();
        loadings.put(name(Format.LZ4, Direction.DECODE), GpuPrograms::lz4Decoder);
        loadings.put(name(Format.SNAPPY, Direction.DECODE), on -> BlockProgram.of(SnappyGpuDecoder.open(on)));
        loadings.put(name(Format.LZ4, Direction.ENCODE), GpuPrograms::lz4Encoder);
        loadings.put(name(Format.SNAPPY, Direction.ENCODE), on -> BlockProgram.of(SnappyGpuEncoder.open(on)));
        loadings.put(name(Format.GZIP, Direction.DECODE), GpuPrograms::gzipDecoder);
        for (EncodeLevel level : EncodeLevel.values()) {
            loadings.put(encoding(Format.GZIP, level), on -> gzipEncoder(on, level));
            loadings.put(encoding(Format.ZLIB, level), on -> zlibEncoder(on, level));
        }
        loadings.put(SEGMENTS, SegmentProgram::open);
        loadings.put(LONG_LZ4, on -> BlockProgram.of(Lz4GpuLongDecoder.open(on)));
        Map<String, WaveProgram> loaded = new LinkedHashMap<>();
        KernelUnavailableException missing = null;
        try {
            for (Map.Entry<String, Loading> loading : loadings.entrySet()) {
                try {
                    loaded.put(loading.getKey(), loading.getValue().load(device));
                } catch (KernelUnavailableException unavailable) {
                    missing = unavailable;
                }
            }
        } catch (DeviceException failed) {
            loaded.values().forEach(WaveProgram::close);
            throw failed;
        }
        if (loaded.isEmpty()) {
            throw missing;
        }
        return loaded;
    }
}
