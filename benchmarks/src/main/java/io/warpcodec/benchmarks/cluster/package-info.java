/**
 * Jobs on clusters of real processes, all on this machine: YARN's daemons and containers, Spark's executors, the node
 * service.
 */
package io.warpcodec.benchmarks.cluster;
