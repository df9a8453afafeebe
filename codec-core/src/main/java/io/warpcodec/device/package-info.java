/**
 * The NVIDIA driver: devices, their memory, streams and kernel modules. The only package that imports jcuda; no jcuda type appears in a
 * signature that others can call.
 *
 * <p>{@link io.warpcodec.device.DeviceDriver} is the door: it answers whether the driver can be used, and never throws for a machine that
 * simply has none. Everything behind it fails with the checked {@link io.warpcodec.device.DeviceException}. The package loads and answers
 * with jcuda and the kernels jar absent from the class path.
 *
 * <p>{@link io.warpcodec.device.DevicePool} shares the devices among the tasks of a process: a {@link io.warpcodec.device.DeviceLease} is a
 * task's admission, a {@link io.warpcodec.device.WaveProgram} says what a device does with those of one wave. All calls to the driver go through
 * the interface {@code Driver}, which tests replace.
 */
package io.warpcodec.device;
