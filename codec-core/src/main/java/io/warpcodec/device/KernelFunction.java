package io.warpcodec.device;

import jcuda.driver.CUfunction;
import jcuda.driver.JCudaDriver;

/** An entry point of a loaded module; of no use once the module is closed. Thread-safe. */
public final class KernelFunction {
    private final Device device;
    private final String entry;
    private final CUfunction function;

    KernelFunction(Device device, String entry, CUfunction function) {
        this.device = device;
        this.entry = entry;
        this.function = function;
    }

    /**
     * How many ctas of this kernel the whole device runs at once.
     *
     * @param ctaThreads threads of one cta
     */
    public int residentCtaCount(int ctaThreads) throws DeviceException {
        device.makeCurrent();
        int[] perMultiprocessor = new int[1];
        CudaCalls.check(
                "cuOccupancyMaxActiveBlocksPerMultiprocessor(" + entry + ")",
                JCudaDriver.cuOccupancyMaxActiveBlocksPerMultiprocessor(perMultiprocessor, function, ctaThreads, 0));
        return perMultiprocessor[0] * device.info().multiprocessorCount();
    }

    /**
     * Asks the stream to run the kernel, with no dynamic shared memory.
     *
     * @param ctaCount size of the grid, at least 1
     * @param ctaThreads threads of one cta
     * @param arguments the kernel's parameters
     * @param stream where it queues
     */
    public void launch(int ctaCount, int ctaThreads, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        device.makeCurrent();
        CudaCalls.check(
                "cuLaunchKernel(" + entry + ")",
                JCudaDriver.cuLaunchKernel(
                        function, ctaCount, 1, 1, ctaThreads, 1, 1, 0, stream.stream(), arguments.pointers(), null));
    }
}
