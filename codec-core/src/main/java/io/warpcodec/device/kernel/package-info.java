/**
 * Kernel modules on a device, each checked against the constants and layouts that the Java side relies on
 * ({@code KernelContract}) before its functions are used.
 */
package io.warpcodec.device.kernel;
