/**
 * The GPU engine: for each kernel file W.cu a WKernels (entry names, argument order and the constants that both sides must agree on, which
 * live nowhere else), a WLaunchPlan (grid and tables) and the launchers.
 */
package io.warpcodec.engine.gpu;
