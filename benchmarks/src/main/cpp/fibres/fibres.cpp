#include "fibres.h"

#include <sys/mman.h>

#include <algorithm>
#include <random>

namespace fibres {

Fibre* current;
Place block_place, grid_size, block_size;
Cta cta;

namespace {

constexpr size_t STACK_BYTES = 64 << 10;
constexpr size_t MOST_THREADS = 1024;
constexpr int SAVED_REGISTERS = 6;

void* scheduler;
const std::function<void()>* body;
std::vector<Fibre> all;
std::vector<Warp> warps;
std::vector<Fibre*> turns;
int alive;

// Keeps what a call has to keep, and goes on on another stack (System V, x86-64).
extern "C" void fibres_switch(void** from, void* to);
asm(R"(
.globl fibres_switch
fibres_switch:
    push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp
    ret
)");

Fibre* behind(const Fibre* fibre) {
    size_t at = fibre->turn;
    do at = (at + 1) % turns.size();
    while (turns[at]->is_done && at != fibre->turn);
    return turns[at];
}

/// A fibre's life. Those that wait do not wait for one that has ended.
void live() {
    (*body)();
    Fibre* own = current;
    own->is_done = true;
    Warp& warp = *own->warp;
    --warp.members;
    --cta.members;
    if (warp.members > 0 && warp.arrived == warp.members) {
        warp.arrived = 0;
        ++warp.generation;
    }
    if (cta.members > 0 && cta.arrived == cta.members) {
        cta.arrived = 0;
        ++cta.generation;
    }
    void* never;
    if (--alive == 0) fibres_switch(&never, scheduler);
    current = behind(own);
    fibres_switch(&never, current->stack_pointer);
}

}  // namespace

void yield() {
    Fibre* own = current;
    Fibre* next = behind(own);
    if (next == own) {
        std::fprintf(stderr, "thread %u waits for ever\n", own->thread);
        std::abort();
    }
    current = next;
    fibres_switch(&own->stack_pointer, next->stack_pointer);
}

void run(uint32_t ctas, uint32_t threads, uint32_t seed, const std::function<void()>& kernel) {
    static char* stacks = static_cast<char*>(
        mmap(nullptr, MOST_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::mt19937 random(seed);
    body = &kernel;
    grid_size = {ctas, 1, 1};
    block_size = {threads, 1, 1};
    for (uint32_t number = 0; number < ctas; ++number) {
        block_place = {number, 0, 0};
        all.assign(threads, {});
        warps.assign((threads + WARP_THREADS - 1) / WARP_THREADS, {});
        turns.clear();
        for (uint32_t thread = 0; thread < threads; ++thread) {
            Fibre& fibre = all[thread];
            fibre.thread = thread;
            fibre.warp = &warps[thread / WARP_THREADS];
            ++fibre.warp->members;
            auto** top = reinterpret_cast<void**>(stacks + (thread + 1) * STACK_BYTES - 64);
            *--top = nullptr;
            *--top = reinterpret_cast<void*>(&live);
            for (int i = 0; i < SAVED_REGISTERS; ++i) *--top = nullptr;
            fibre.stack_pointer = top;
            turns.push_back(&fibre);
        }
        if (seed != 0) std::shuffle(turns.begin(), turns.end(), random);
        for (size_t turn = 0; turn < turns.size(); ++turn) turns[turn]->turn = turn;
        alive = static_cast<int>(threads);
        cta = {};
        cta.members = static_cast<int>(threads);
        current = turns[0];
        fibres_switch(&scheduler, current->stack_pointer);
    }
}

}  // namespace fibres
