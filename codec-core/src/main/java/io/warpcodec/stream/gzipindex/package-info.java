/**
 * Building and reading the index beside a gzip file. A room above {@code stream}, which asks it through
 * {@link io.warpcodec.stream.SplitIndex} and knows none of its classes.
 */
package io.warpcodec.stream.gzipindex;
