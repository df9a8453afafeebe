/** Stored units: magic, raw size, the bytes as they are, CRC-32. A toy, to show what a new format takes. */
package io.warpcodec.format.store;
