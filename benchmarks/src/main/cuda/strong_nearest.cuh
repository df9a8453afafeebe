// The nearest earlier place with the same 3, 4, 6, 8, 12 bytes, for each place of a frame whose order is known.
//
// Places that share k bytes are a group of neighbours in the order, and groups of more bytes lie within those of fewer.
// To link a group, its places have to come in the order of the text: the nearest earlier place is then the one before.
// Ranks are cut into windows. All groups within a window share a bucket; a group that crosses a window's end has a
// bucket for itself. So a bucket is a range of ranks, and where it begins is known without counting.
//
// 1. warp_mark_heads. A lane takes a rank, reads its first bytes and compares them with those of the rank before. It
//    marks heads of groups, a bit for each kind, and notes the rank of its place (strong_nearest_heads.cuh).
// 2. cta_find_windows. Each window's first head, and its last one if that group crosses the window's end.
// Then for each kind, fewest bytes first:
// 3. cta_count_buckets, cta_place_buckets, cta_deal_places. Places are dealt to their buckets in the order of the text:
//    one pass of a stable radix sort (strong_nearest_deal.cuh).
// 4. warp_link_bucket. A warp takes a bucket of groups within a window and a kind. It has the latest place of each
//    group in shared memory, a word a head: 32 places a step look up, then enter. The bucket serves this kind and those
//    of more bytes, as their groups lie within its groups (strong_nearest_link.cuh).
// 5. thread_link_crossing. In a bucket of one group the nearest earlier place is the member before. These groups are
//    dealt again by the next kind, and only these.
//
// Bounds: a bucket that a warp links has WINDOW places at most, whatever the text is. Groups of any size are linked by
// as many threads as they have places. So a kind is dealt, and linked, once at most for each place. A frame has
// 2^DIGIT_BITS / 2 windows at most. No result depends on which cta runs first.
//
// Scratch a byte of text: ranks 4, members 8, marks 5/8, counts digits * 4 / TILE, which is 1 with 2,048 digits and
// tiles of 8,192 places. Shared memory with windows of 8,192 ranks: 24 KB to count, 88 KB to deal, 34 KB to link.
//
// Places with fewer than k bytes behind them take part as rotations, but get no candidate. They come last in the text,
// so nobody gets them.
#pragma once

#include "strong_nearest_deal.cuh"
#include "strong_nearest_heads.cuh"
#include "strong_nearest_link.cuh"
