/** Hive's configuration on this node. */
package io.warpcodec.hadoop.hive;
