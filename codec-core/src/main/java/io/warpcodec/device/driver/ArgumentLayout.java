package io.warpcodec.device.driver;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Layout in memory of a struct that kernels take as their one argument. Each field lies behind the field before, at
 * the next multiple of its own size, as a C++ compiler lays it out. The header {@code common/layout.cuh} makes the
 * hash of {@link #constants} from the struct itself, and both are compared when a module is loaded. Immutable.
 *
 * @param name of the struct among those of its module, as in the constants that the module exports
 * @param fields in their order
 */
public record ArgumentLayout(String name, List<Field> fields) {
    private static final int FIRST_HASH = 0x811C9DC5;
    private static final int HASH_FACTOR = 0x01000193;

    /**
     * A field.
     *
     * @param offset in bytes, from the struct's first
     * @param bytes 4 or 8
     */
    public record Field(String name, int offset, int bytes) {}

    /** Copies the list. */
    public ArgumentLayout {
        fields = List.copyOf(fields);
    }

    /** A struct that has no fields yet. */
    public static ArgumentLayout of(String name) {
        return new ArgumentLayout(name, List.of());
    }

    /** A struct that begins with the fields of this one. */
    public ArgumentLayout named(String other) {
        return new ArgumentLayout(other, fields);
    }

    /** With a pointer to device memory behind the other fields. */
    public ArgumentLayout pointer(String field) {
        return with(field, Long.BYTES);
    }

    /** With a number of 64 bits behind the other fields. */
    public ArgumentLayout int64(String field) {
        return with(field, Long.BYTES);
    }

    /** With a number of 32 bits behind the other fields. */
    public ArgumentLayout int32(String field) {
        return with(field, Integer.BYTES);
    }

    private ArgumentLayout with(String field, int bytes) {
        List<Field> longer = new ArrayList<>(fields);
        longer.add(new Field(field, roundUp(limit(), bytes), bytes));
        return new ArgumentLayout(name, longer);
    }

    private int limit() {
        if (fields.isEmpty()) {
            return 0;
        }
        Field last = fields.get(fields.size() - 1);
        return last.offset + last.bytes;
    }

    private static int roundUp(int bytes, int multiple) {
        return (bytes + multiple - 1) / multiple * multiple;
    }

    /** Size of the struct, which has a pointer, in bytes. */
    public int bytes() {
        return roundUp(limit(), Long.BYTES);
    }

    /** A field. Throws {@link IllegalArgumentException} if there is none of that name. */
    Field field(String field) {
        for (Field candidate : fields) {
            if (candidate.name.equals(field)) {
                return candidate;
            }
        }
        throw new IllegalArgumentException(name + " has no field " + field);
    }

    /** What a module exports of the struct, by name: its size, and a hash of its fields' names, offsets and sizes. */
    public Map<String, Integer> constants(String word) {
        int hash = FIRST_HASH;
        for (Field field : fields) {
            for (byte letter : field.name.getBytes(StandardCharsets.US_ASCII)) {
                hash = mix(hash, letter);
            }
            hash = mix(mix(hash, field.offset), field.bytes);
        }
        String prefix = word + "_" + name;
        return Map.of(prefix + "_bytes", bytes(), prefix + "_layout", hash);
    }

    private static int mix(int hash, int value) {
        return (hash ^ value) * HASH_FACTOR;
    }
}
