/**
 * The machine under every decoder: units are cut from a window, decoded by engines, and handed out in order. It knows
 * no format. A room of {@code stream}, which nothing else enters.
 */
package io.warpcodec.stream.unit;
