/**
 * What {@code warpcodec demo} runs: a small HDFS and YARN inside this process, TPC-H text on it, and real MapReduce
 * and Spark jobs over that text in every format. The tool finds it as a service; only this package knows MapReduce,
 * YARN and Spark.
 *
 * <p>Map: {@link io.warpcodec.demo.MiniClusterDemonstration} is the service, {@code Demo} the script,
 * {@code DemoFormat} the list of formats, {@code MiniCluster} the daemons, {@code LineitemSummary} the answer that
 * every job must agree on.
 */
package io.warpcodec.demo;
