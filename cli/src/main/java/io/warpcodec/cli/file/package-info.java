/**
 * Where the tool reads and writes: the local file system through {@code java.nio}, standard input and output, and
 * everything with a scheme ({@code hdfs://}, {@code s3a://}) through Hadoop's FileSystem, whose classes are loaded
 * for such paths only.
 *
 * <p>Verbs see a {@link io.warpcodec.cli.file.Location}. A file's is one class for all file systems, over the
 * primitive operations of one of them, in {@code system}. How a file gets its name, and what is on the disk at each
 * moment, is in {@code publish}; what a killed call left is in {@link io.warpcodec.cli.file.Leftovers}.
 */
package io.warpcodec.cli.file;
