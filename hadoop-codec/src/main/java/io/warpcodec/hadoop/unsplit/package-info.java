/**
 * Codecs of the same files that do not split: for readers that skip a file's first or last lines in each split of it.
 * Below {@code io.warpcodec.hadoop.unsplit} the classes have the names that the splitting ones have below
 * {@code io.warpcodec.hadoop}.
 */
package io.warpcodec.hadoop.unsplit;
