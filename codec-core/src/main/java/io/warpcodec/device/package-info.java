/**
 * What a process holds of its NVIDIA devices. Nothing here knows a format.
 *
 * <h2>From the driver to a lease</h2>
 *
 * <ul>
 *   <li>{@code driver}: devices, streams, events and memory. The only room that names jcuda.
 *   <li>{@code kernel}: modules of machine code, checked against what the launchers expect of them.
 *   <li>{@code lease}: what the rest of the product sees: a {@code DevicePool} lends page-locked memory, takes jobs in
 *       it, and answers with results.
 *   <li>{@code pool}: a process's own devices, each with a thread that gathers leases to waves and launches them.
 * </ul>
 *
 * <h2>Devices of other processes</h2>
 *
 * <ul>
 *   <li>{@code serve}: a process that lends its pool to the others of a machine, over a socket and shared memory.
 *   <li>{@code node}: the client's end; a {@code DevicePool} like any other.
 * </ul>
 */
package io.warpcodec.device;
