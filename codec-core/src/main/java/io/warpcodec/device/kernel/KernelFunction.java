package io.warpcodec.device.kernel;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.driver.KernelArguments;

/** An entry point of a loaded module; of no use once the module is closed. Thread-safe. */
public final class KernelFunction {
    private final Device device;
    private final Driver.Function function;
    private final int sharedBytes;

    KernelFunction(Device device, Driver.Function function, int sharedBytes) {
        this.device = device;
        this.function = function;
        this.sharedBytes = sharedBytes;
    }

    /**
     * How many ctas of this kernel the whole device runs at once.
     *
     * @param ctaThreads threads of one cta
     */
    public int residentCtaCount(int ctaThreads) throws DeviceException {
        int perMultiprocessor = device.ask(driver -> driver.residentCtaCount(function, ctaThreads, sharedBytes));
        return perMultiprocessor * device.info().multiprocessorCount();
    }

    /**
     * Asks the stream to run the kernel.
     *
     * @param ctaCount size of the grid, at least 1
     * @param ctaThreads threads of one cta
     * @param arguments the kernel's parameters
     * @param stream where it queues
     */
    public void launch(int ctaCount, int ctaThreads, KernelArguments arguments, DeviceStream stream)
            throws DeviceException {
        device.tell(driver -> driver.launch(function, ctaCount, ctaThreads, sharedBytes, arguments, stream.stream()));
    }
}
