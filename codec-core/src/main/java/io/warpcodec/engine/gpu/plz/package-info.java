/**
 * What strong levels look for on devices: candidates of matches by the order of a frame's places, and a parse by price.
 */
package io.warpcodec.engine.gpu.plz;
