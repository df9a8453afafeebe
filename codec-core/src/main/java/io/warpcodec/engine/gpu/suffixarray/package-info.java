/**
 * The order of frames' rotations on devices, for formats that look for matches in it. {@code FrameOrder} is the door.
 */
package io.warpcodec.engine.gpu.suffixarray;
