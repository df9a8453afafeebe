/**
 * The engine on this JVM's pool of devices. {@code GpuEngine} turns chunks into requests ({@code request}), by the plans and layouts of their format; {@code GpuFormats}
 * names the formats, each a room of its own ({@code lz4}, {@code snappy}, {@code deflate}) over what they share ({@code block}, {@code checksum}). In mode
 * {@code auto} the rooms of {@code cost} say whether a device or the CPU does a request.
 */
package io.warpcodec.engine.gpu;
