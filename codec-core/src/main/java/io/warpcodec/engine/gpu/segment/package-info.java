/**
 * One long unit on devices, a segment at a time: {@link io.warpcodec.engine.gpu.segment.GpuSegments} is what all
 * formats have in common, {@code SegmentOutput} what a segment decoded to while it is taken.
 */
package io.warpcodec.engine.gpu.segment;
