/**
 * The devices of the node's service, as a client sees them: {@link io.warpcodec.device.node.NodePool}; and what both
 * sides say to each other ({@link io.warpcodec.device.node.NodeProtocol}). JDK only: no driver is loaded here.
 */
package io.warpcodec.device.node;
