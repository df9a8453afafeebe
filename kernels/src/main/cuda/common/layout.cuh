// How the structs lie in memory that kernels take as their one argument. The Java side has the same fields in the
// same order (ArgumentLayout) and makes the same number of them; a launcher compares both when it loads a module.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpcodec {

/// The fields of a struct, the fields of structs in it among them: each lies behind the one before, at the next
/// multiple of its own size.
class Layout {
    uint32_t limit_ = 0;  ///< behind the last field
    uint32_t hash_ = 0x811C9DC5u;
    bool dense_ = true;

    static constexpr uint32_t round_up(uint32_t bytes, uint32_t multiple) {
        return (bytes + multiple - 1) / multiple * multiple;
    }
    constexpr void mix(uint32_t value) { hash_ = (hash_ ^ value) * 0x01000193u; }

public:
    /// With one field more.
    constexpr Layout field(const char* name, size_t offset, size_t bytes) const {
        Layout longer = *this;
        longer.dense_ = dense_ && offset == round_up(limit_, static_cast<uint32_t>(bytes));
        longer.limit_ = static_cast<uint32_t>(offset + bytes);
        for (; *name != 0; ++name) longer.mix(static_cast<uint8_t>(*name));
        longer.mix(static_cast<uint32_t>(offset));
        longer.mix(static_cast<uint32_t>(bytes));
        return longer;
    }

    /// FNV-1a over each field's name, offset and size.
    constexpr uint32_t hash() const { return hash_; }

    /// Whether these are all fields of a struct, which has a pointer.
    template <typename Struct>
    constexpr bool is_of() const {
        return dense_ && sizeof(Struct) == round_up(limit_, sizeof(void*));
    }
};

}  // namespace warpcodec

/// A field of a struct, for a Layout.
#define WARPCODEC_FIELD(Struct, name) field(#name, offsetof(Struct, name), sizeof(Struct::name))
/// A field of a struct that is a field of a struct.
#define WARPCODEC_INNER_FIELD(Struct, outer, Inner, name) \
    field(#name, offsetof(Struct, outer) + offsetof(Inner, name), sizeof(Inner::name))
