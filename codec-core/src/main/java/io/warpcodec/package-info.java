/**
 * Warpcodec's core: compressed streams of six formats, done by GPUs where there are some and by the CPU where there are
 * none. Hadoop's and Spark's adapters are modules of their own; nothing here names either.
 *
 * <h2>For adapters</h2>
 *
 * <p>{@code Format}, {@code Framing}, {@code Mode} and {@code CodecOptions} say what a stream is to be;
 * {@code Settings} makes them of settings as people write them, and {@code Setting} describes each. {@code Engines}
 * is the composition root: the only class that knows both engines. Streams are in {@code stream}.
 *
 * <h2>Rooms, each built on those behind it</h2>
 *
 * <p>{@code stream}, {@code engine.cpu} and {@code engine.gpu}, {@code engine}, {@code device}, {@code format}, {@code
 * metrics}. {@code serve} and {@code doctor} are for people: the service of a node, and what is wrong with a machine.
 * ArchitectureTest holds who may know whom.
 */
package io.warpcodec;
