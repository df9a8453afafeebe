/**
 * The node's service as processes. {@link io.warpcodec.serve.ServeMain} is the process that has the devices.
 * {@link io.warpcodec.serve.Supervisor} starts it, and again when it has lost them.
 */
package io.warpcodec.serve;
