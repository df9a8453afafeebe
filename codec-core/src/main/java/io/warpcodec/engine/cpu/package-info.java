/**
 * The engine on the cores of the host, always there. {@code CpuEngine} works on the thread that asks,
 * {@code ThreadedCpuEngine} on threads of its own; each format has a room, and {@code base} holds what they share.
 */
package io.warpcodec.engine.cpu;
