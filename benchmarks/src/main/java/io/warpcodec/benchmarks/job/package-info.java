/** Work as hosts do it: Spark jobs, the splits of a file, tasks that are a process each. */
package io.warpcodec.benchmarks.job;
