// How often codes of sequences are said to occur before anything is parsed: zstd's predefined counts (RFC 8878, section
// 3.1.1.3.2.2).
#pragma once

#include <cstdint>

namespace warpcodec::plz {

struct FirstCounts {
    uint8_t run[36];  ///< of literals
    uint8_t offset[32];
    uint8_t match[53];
};

constexpr FirstCounts FIRST = {
    {4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
     1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};

}  // namespace warpcodec::plz
