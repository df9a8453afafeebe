/**
 * Where the tool reads and writes: the local file system through {@code java.nio}, standard input and output, and everything with a scheme
 * ({@code hdfs://}, {@code s3a://}) through Hadoop's FileSystem, whose classes are loaded for such paths only.
 */
package io.warpcodec.cli.file;
