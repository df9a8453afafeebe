/** The node's service as a part of YARN's NodeManager. */
package io.warpcodec.hadoop.yarn;
