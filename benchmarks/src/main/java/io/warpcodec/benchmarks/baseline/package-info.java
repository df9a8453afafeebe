/**
 * The codecs on the CPU engine beside the stock ones. {@code CodecPair} says which two stand against each other, the
 * {@code *Benchmark} classes measure with JMH, {@code CpuBaseline} runs all of them and writes the table.
 */
package io.warpcodec.benchmarks.baseline;
