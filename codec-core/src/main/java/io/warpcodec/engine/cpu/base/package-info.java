/**
 * What the formats of the CPU engine share: coders, memory, and the check that the library of a format loads.
 */
package io.warpcodec.engine.cpu.base;
