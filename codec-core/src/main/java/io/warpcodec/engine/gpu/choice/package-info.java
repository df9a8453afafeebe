/**
 * The choice of mode {@code auto} once devices run. {@code DeviceChoice} says whether a device does a piece of work,
 * and {@code HedgedWait} how long a thread waits for it; {@code PoolRest} keeps work from devices that are slower than
 * the CPU.
 */
package io.warpcodec.engine.gpu.choice;
