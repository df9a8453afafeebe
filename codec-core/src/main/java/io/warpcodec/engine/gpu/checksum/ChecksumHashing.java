package io.warpcodec.engine.gpu.checksum;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.PinnedBuffer;
import io.warpcodec.device.kernel.KernelUnavailableException;
import io.warpcodec.engine.gpu.block.ChunkRanges;
import io.warpcodec.engine.gpu.block.RawHashing;

/** The hashes that formats keep of raw bytes, by {@link ChecksumGpuDigester}. */
public abstract class ChecksumHashing implements RawHashing {
    final ChecksumGpuDigester digester;

    private ChecksumHashing(ChecksumGpuDigester digester) {
        this.digester = digester;
    }

    /**
     * XXH32, as LZ4's containers keep it.
     *
     * @throws KernelUnavailableException if there are no kernels for this device
     * @throws DeviceException if the device fails
     */
    public static RawHashing xxHash32(Device device) throws KernelUnavailableException, DeviceException {
        return new Contents(ChecksumGpuDigester.open(device), false);
    }

    /**
     * The lowest 32 bits of XXH64, as Zstandard's frames keep them.
     *
     * @throws KernelUnavailableException if there are no kernels for this device
     * @throws DeviceException if the device fails
     */
    public static RawHashing xxHash64(Device device) throws KernelUnavailableException, DeviceException {
        return new Contents(ChecksumGpuDigester.open(device), true);
    }

    /** XXH32, or XXH64. */
    private static final class Contents extends ChecksumHashing {
        private final boolean isLong;

        Contents(ChecksumGpuDigester digester, boolean isLong) {
            super(digester);
            this.isLong = isLong;
        }

        @Override
        public long workspaceBytes(int count) {
            return ChecksumGpuDigester.xxHashWorkspaceBytes(count);
        }

        @Override
        public void enqueue(
                DeviceBuffer raw,
                ChunkRanges ranges,
                int[] seeds,
                DeviceBuffer workspace,
                PinnedBuffer staging,
                DeviceStream stream)
                throws DeviceException {
            if (isLong) {
                digester.enqueueXxHash64(raw, ranges, seeds, workspace, staging, stream);
            } else {
                digester.enqueueXxHash32(raw, ranges, seeds, workspace, staging, stream);
            }
        }

        @Override
        public int[] values(int count, PinnedBuffer staging) {
            return digester.xxHashValues(count, staging);
        }
    }

    /**
     * CRC-32, as gzip members keep it. It has no seeds.
     *
     * @throws KernelUnavailableException if there are no kernels for this device
     * @throws DeviceException if the device fails
     */
    public static RawHashing crc32(Device device) throws KernelUnavailableException, DeviceException {
        return new ChecksumHashing(ChecksumGpuDigester.open(device)) {
            @Override
            public long workspaceBytes(int count) {
                return ChecksumGpuDigester.workspaceBytes(count);
            }

            @Override
            public void enqueue(
                    DeviceBuffer raw,
                    ChunkRanges ranges,
                    int[] seeds,
                    DeviceBuffer workspace,
                    PinnedBuffer staging,
                    DeviceStream stream)
                    throws DeviceException {
                digester.enqueueCrc32(raw, ranges, workspace, staging, stream);
            }

            @Override
            public int[] values(int count, PinnedBuffer staging) {
                return digester.crc32Values(count, staging);
            }
        };
    }

    @Override
    public void close() {
        digester.close();
    }
}
