/**
 * What files look like: how the streams of each format are recognised, cut into units, laid together, and split. No
 * byte is compressed or decompressed here.
 *
 * <h2>Reading</h2>
 *
 * <p>A {@code Scanner} walks a {@code Window} of compressed bytes and names one {@code Unit} after the other: bytes
 * to skip, a chunk that can be decoded by itself, or a unit without a known end, for a session. It believes no
 * length: what it says of a chunk is a hint that the engine proves.
 *
 * <h2>Writing</h2>
 *
 * <p>An {@code Assembler} lays encoded chunks into one legal stream: header, chunks in order, trailer.
 *
 * <h2>Splitting</h2>
 *
 * <p>{@code SyncPoints} says where in a file a reader may begin. One predicate finds the first place of a split and the
 * end of the split before it, so that each byte belongs to one of them.
 *
 * <h2>Rooms</h2>
 *
 * <p>{@code gzip zlib bzip2 lz4 snappy zstd} have a {@code Container} each, which names these three for its format;
 * {@code checksum} has the sums that several use. The bytes that we add to a format are defined in {@code docs/format}.
 */
package io.warpcodec.format;
