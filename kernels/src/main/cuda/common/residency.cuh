// How many ctas a multiprocessor holds. ptxas refuses launch bounds that ask for more.
#pragma once

namespace warpcodec {

/// `wanted` ctas of `threads` threads a multiprocessor, or as many as one of this architecture holds. The limits are
/// those of CUDA's table of technical specifications; where none is named, 24 ctas or more.
constexpr int resident_ctas(int threads, int wanted) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    constexpr int MOST_THREADS = 1024;
    constexpr int MOST_CTAS = 16;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870)
    constexpr int MOST_THREADS = 1536;
    constexpr int MOST_CTAS = 16;
#elif defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
    constexpr int MOST_THREADS = 1536;
    constexpr int MOST_CTAS = 24;
#else
    constexpr int MOST_THREADS = 2048;
    constexpr int MOST_CTAS = 24;
#endif
    const int most = MOST_THREADS / threads < MOST_CTAS ? MOST_THREADS / threads : MOST_CTAS;
    return wanted < most ? wanted : most;
}

}  // namespace warpcodec
