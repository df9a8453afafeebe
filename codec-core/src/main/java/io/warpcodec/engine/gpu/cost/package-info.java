/**
 * What work costs on devices and on the CPU, as it was measured in this process: the choice of mode {@code auto}.
 */
package io.warpcodec.engine.gpu.cost;
