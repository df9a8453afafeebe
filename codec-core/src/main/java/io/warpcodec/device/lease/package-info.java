/**
 * What an engine asks of devices, those of this process or another's: {@link io.warpcodec.device.lease.DevicePool}
 * and {@link io.warpcodec.device.lease.DeviceLease}. They have two implementations: the devices of this process
 * ({@code device.pool}) and those of the node's service ({@code device.node}).
 */
package io.warpcodec.device.lease;
