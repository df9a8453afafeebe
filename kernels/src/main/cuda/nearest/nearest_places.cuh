// The nearest earlier place with the same 3, 4, 6, 8, 12 bytes, for each place of a frame whose order is known.
//
// Places that share k bytes are a group of neighbours in the order, and groups of more bytes lie within those of fewer.
// To link a group, its places have to come in the order of the text: the nearest earlier place is then the one before.
// Ranks are cut into windows. All groups within a window share a bucket; a group that crosses a window's end is a
// digit for itself. A place has the bucket of the first kind, fewest bytes first, whose group lies within a window.
//
// 1. warp_mark_heads. A lane takes a rank, reads its first bytes and compares them with those of the rank before. It
//    marks heads of groups, a bit for each kind. It notes the rank of its place, if the sorter does not give ranks
//    (nearest_heads.cuh).
// 2. cta_find_windows. Each window's first head, and its last one if that group crosses the window's end.
// 3. cta_count_buckets, cta_place_buckets, cta_deal_places. A pass of a stable radix sort for each kind takes places to
//    their buckets. Those whose groups cross get their result here, and wait for the next kind's pass
//    (nearest_deal.cuh).
// 4. cta_link_bucket. A warp has the latest member of each group in shared memory: 32 members a step look up, then
//    enter, and write their results to their places. The bucket serves its kind and those of more bytes, a warp each,
//    as their groups lie within its groups (nearest_link.cuh).
//
// Bounds: a bucket has WINDOW members at most, whatever the text is, and a place is in one bucket at most. Results of
// crossing groups take no longer than dealing. A frame has 2^DIGIT_BITS / 2 windows at most. No result depends on
// which cta runs first.
//
// Frames of any lengths are a batch (common/frames.cuh). Only counts have a row length in common, the digits of the
// longest frame; a shorter frame uses the first words of its rows. Windows, tiles and digits behind a frame's own are
// not written and not read. A cta that is started for one does nothing, so grids may be those of units, or of the
// longest frame.
//
// Scratch a byte of units: members 8, ranks 4, marks 5/8, counts 5 * digits * 4 / TILE. The last is 5 with 2,048 digits
// and tiles of 8,192 places. Shared memory with windows of 8,192 ranks: 16 KB to count, 100 KB to deal (180 with tiles
// of 16,384), 17.5 KB a kind to link.
//
// Places with fewer than k bytes behind them take part as rotations, but get no candidate. They come last in the text,
// so they are no place's candidate.
#pragma once

#include "nearest_deal.cuh"
#include "nearest_heads.cuh"
#include "nearest_link.cuh"
