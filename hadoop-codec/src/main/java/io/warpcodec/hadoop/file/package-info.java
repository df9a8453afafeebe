/** The file behind a stream that Hadoop hands to a codec: which it is, where it ends, and the index beside it. */
package io.warpcodec.hadoop.file;
