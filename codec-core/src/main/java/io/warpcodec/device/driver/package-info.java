/**
 * The NVIDIA driver: devices, their memory and streams. The only package that imports jcuda; no jcuda type appears in
 * a signature that others can call.
 *
 * <p>{@link io.warpcodec.device.driver.DeviceDriver} is the door: it answers whether the driver can be used, and
 * never throws for a machine that simply has none. Everything behind it fails with the checked
 * {@link io.warpcodec.device.driver.DeviceException}. The package loads and answers with jcuda and the kernels jar
 * absent from the class path. All calls to the driver go through the interface {@code Driver}, which tests replace.
 */
package io.warpcodec.device.driver;
