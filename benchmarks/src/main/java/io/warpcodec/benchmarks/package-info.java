/**
 * Benchmarks: our codecs beside their stock counterparts, same format, same checksums, in the same run. Here is what
 * all of them share: the codecs behind one interface ({@code StreamCodec}), the text that they work on, and the file
 * of the results. Not shipped.
 */
package io.warpcodec.benchmarks;
