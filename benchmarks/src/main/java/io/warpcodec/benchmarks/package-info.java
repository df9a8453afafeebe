/**
 * Benchmarks: our codecs beside their stock counterparts, same format, same checksums, in the same run. {@code CodecPair} says
 * which two stand against each other, the {@code *Benchmark} classes measure with JMH, {@code CpuBaseline} runs all of them
 * and writes the table. Not shipped.
 */
package io.warpcodec.benchmarks;
