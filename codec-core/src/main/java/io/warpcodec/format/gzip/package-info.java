/**
 * gzip members (RFC 1952): ours and BGZF's name their size and are chunks, all others are decoded by a session; and
 * the index that lies beside a gzip file, whose points let a session begin within a member. Wire layout: {@code
 * docs/format/gzip.md}, {@code docs/format/gzip-index.md}.
 */
package io.warpcodec.format.gzip;
