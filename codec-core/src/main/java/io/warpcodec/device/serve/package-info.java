/**
 * The service of a node, which lets other processes use this one's devices: {@link
 * io.warpcodec.device.serve.NodeService}. It trusts nothing that a client says.
 */
package io.warpcodec.device.serve;
