// How many ctas of 64 threads a multiprocessor holds. ptxas refuses launch bounds that ask for more.
#pragma once

namespace warpcodec {

/// `wanted` ctas a multiprocessor, or as many as one of the architecture that this is compiled for holds: 16 at compute capability 7.5 (which has
/// 1024 threads a multiprocessor) and at 8.6 and 8.7 (16 ctas); 24 or more elsewhere. From CUDA's table of technical specifications.
constexpr int resident_ctas(int wanted) {
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870)
    constexpr int MOST_CTAS = 16;
#else
    constexpr int MOST_CTAS = 24;
#endif
    return wanted < MOST_CTAS ? wanted : MOST_CTAS;
}

}  // namespace warpcodec
