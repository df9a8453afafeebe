/**
 * What a process holds of its NVIDIA devices, in three rooms, each built on the one before: {@code driver}, {@code kernel}, {@code pool}. Nothing here
 * knows a format.
 */
package io.warpcodec.device;
