package io.warpcodec.device.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;

/**
 * The struct that a kernel takes as its one argument. Each field gets one value; then kernels may be launched with it
 * as often as wanted. Not thread-safe while values are set.
 *
 * <p>Fields that are unknown, have another size or have a value already are refused with an
 * {@link IllegalArgumentException}.
 */
public final class KernelArguments {
    private final ArgumentLayout layout;
    private final byte[] struct;
    private final ByteBuffer view;
    private final Set<String> missing = new HashSet<>();

    /** A struct whose fields have no values yet. */
    public KernelArguments(ArgumentLayout layout) {
        this.layout = layout;
        this.struct = new byte[layout.bytes()];
        this.view = ByteBuffer.wrap(struct).order(ByteOrder.nativeOrder());
        layout.fields().forEach(field -> missing.add(field.name()));
    }

    /** Sets a pointer to device memory. */
    public KernelArguments buffer(String field, DeviceBuffer buffer) {
        return int64(field, buffer.address());
    }

    /** Sets a number of 64 bits. */
    public KernelArguments int64(String field, long value) {
        view.putLong(offset(field, Long.BYTES), value);
        return given(field);
    }

    /** Sets a number of 32 bits. */
    public KernelArguments int32(String field, int value) {
        view.putInt(offset(field, Integer.BYTES), value);
        return given(field);
    }

    private KernelArguments given(String field) {
        if (!missing.remove(field)) {
            throw new IllegalArgumentException(layout.name() + " has a value for " + field + " already");
        }
        return this;
    }

    /** A pointer, or a number of 64 bits. */
    public long int64(String field) {
        return view.getLong(offset(field, Long.BYTES));
    }

    /** A number of 32 bits. */
    public int int32(String field) {
        return view.getInt(offset(field, Integer.BYTES));
    }

    private int offset(String name, int bytes) {
        ArgumentLayout.Field field = layout.field(name);
        if (field.bytes() != bytes) {
            throw new IllegalArgumentException(
                    layout.name() + " has a field " + name + " of " + field.bytes() + " bytes");
        }
        return field.offset();
    }

    /**
     * The struct as a kernel takes it.
     *
     * @throws IllegalStateException if a field has no value
     */
    public byte[] struct() {
        if (!missing.isEmpty()) {
            throw new IllegalStateException(layout.name() + " has no values for " + missing);
        }
        return struct;
    }
}
