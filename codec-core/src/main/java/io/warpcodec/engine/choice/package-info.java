/**
 * Which engine does a batch, and when devices start.
 *
 * <p>{@code EngineSelector} picks an engine for each batch, with the reason. {@code AcceleratorStart} looks for the
 * accelerator and starts it once that pays; {@code StartCosts}, {@code StartEvidence} and {@code StartTurns} say when
 * that is, and {@code CpuBesideStart} leaves processors to it meanwhile. Which requests of a batch a device does, and
 * how long a thread waits for it, is said in {@code io.warpcodec.engine.gpu.choice}.
 */
package io.warpcodec.engine.choice;
