/**
 * The GPU engine: for each kernel file W.cu a WKernels (entry names, argument order and the constants that both sides must agree on, which
 * live nowhere else), a WLaunchPlan (grid and tables) and the launchers.
 *
 * <p>{@link io.warpcodec.engine.gpu.GpuEngine} is the engine over all of them: plans read off the containers ({@code DecodePlan}), requests that
 * the pool admits ({@code GpuRequest}), and programs that run the requests of many tasks in one wave ({@code GpuPrograms}).
 */
package io.warpcodec.engine.gpu;
