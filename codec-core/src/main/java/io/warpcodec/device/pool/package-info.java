/**
 * Shares the devices among the tasks of a process: a {@link io.warpcodec.device.pool.OwnLease} is the admission of a
 * task, and a {@link io.warpcodec.device.pool.WaveProgram} says what a device does with the leases of one wave.
 */
package io.warpcodec.device.pool;
