/**
 * What {@code warpcodec demo} runs: a small HDFS and YARN inside this process, TPC-H text on it, and real MapReduce and Spark jobs over
 * that text in every format. The only package of the tool that knows MapReduce, YARN and Spark.
 *
 * <p>Map: {@link io.warpcodec.cli.demo.Demo} is the script, {@link io.warpcodec.cli.demo.DemoFormat} the list of formats,
 * {@link io.warpcodec.cli.demo.MiniCluster} the daemons, {@link io.warpcodec.cli.demo.LineitemSummary} the answer that every job must
 * agree on.
 */
package io.warpcodec.cli.demo;
