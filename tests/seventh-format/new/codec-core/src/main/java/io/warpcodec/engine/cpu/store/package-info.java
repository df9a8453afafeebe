/** Stored units on the CPU. */
package io.warpcodec.engine.cpu.store;
