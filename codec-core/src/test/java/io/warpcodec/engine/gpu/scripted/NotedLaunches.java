package io.warpcodec.engine.gpu.scripted;

import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.Driver;
import io.warpcodec.device.kernel.KernelContract;
import io.warpcodec.device.pool.ScriptedDriver;
import io.warpcodec.device.pool.ScriptedDriver.Kernel;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A device whose kernels are those of {@link HostKernels}, and what has been launched on it. */
public final class NotedLaunches {
    /** A kernel's entry name, and its grid. */
    public record Launched(String kernel, int ctaCount, int ctaThreads) {}

    private final ScriptedDriver driver;
    private final Map<Kernel, String> names = new HashMap<>();
    private final List<Launched> launches = new ArrayList<>();

    /** @param contracts of the modules that may be loaded */
    public NotedLaunches(KernelContract... contracts) {
        Map<String, Kernel> kernels = HostKernels.all();
        kernels.forEach((name, kernel) -> names.put(kernel, name));
        driver = new ScriptedDriver(1, 512L << 20, kernels, List.of(contracts));
    }

    /** Opens the device. */
    public Device openDevice() throws DeviceException {
        return Device.open(noting(), driver.devices().get(0));
    }

    /** In order. */
    public List<Launched> launches() {
        return List.copyOf(launches);
    }

    private Driver noting() {
        return (Driver) Proxy.newProxyInstance(
                Driver.class.getClassLoader(), new Class<?>[] {Driver.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("launch")) {
                        Object kernel = ((Driver.Function) arguments[0]).handle();
                        launches.add(new Launched(names.get(kernel), (int) arguments[1], (int) arguments[2]));
                    }
                    try {
                        return method.invoke(driver, arguments);
                    } catch (InvocationTargetException failed) {
                        throw failed.getCause();
                    }
                });
    }
}
