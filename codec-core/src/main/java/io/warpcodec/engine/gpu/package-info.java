/**
 * The engine on this JVM's pool of devices. {@code GpuEngine} turns chunks into requests ({@code request}), by the
 * plans and layouts of their format; {@code GpuFormats} names the formats, each a room of its own: {@code lz4},
 * {@code snappy}, {@code deflate}, {@code bzip2}, {@code zstd}. They share {@code block} (blocks in, blocks out) and
 * {@code checksum}. In mode {@code auto} the room {@code choice} says whether a device or the CPU does a request, and
 * how long a thread waits. {@code GpuNode} makes the pool that a service lends.
 */
package io.warpcodec.engine.gpu;
