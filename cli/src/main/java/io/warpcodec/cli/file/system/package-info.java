/**
 * The primitive operations of one file system ({@code FileOperations}: {@code LocalFiles}, {@code HadoopFiles}), the
 * facts and attributes that they deal in, and why one of them failed. Knows nothing of the rest of the tool.
 */
package io.warpcodec.cli.file.system;
