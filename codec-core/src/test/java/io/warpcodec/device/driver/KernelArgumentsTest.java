package io.warpcodec.device.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Structs as a C++ compiler lays them out, and values for all of their fields. */
class KernelArgumentsTest {
    private static final ArgumentLayout LAYOUT = ArgumentLayout.of("batch")
            .pointer("input")
            .int32("count")
            .int64("bytes")
            .int32("first")
            .int32("limit")
            .int32("rest");

    private static KernelArguments full() {
        return new KernelArguments(LAYOUT)
                .int32("rest", 6)
                .int64("bytes", 1L << 40)
                .int64("input", -2)
                .int32("count", 3)
                .int32("first", 4)
                .int32("limit", 5);
    }

    @Test
    void aFieldLiesAtTheNextMultipleOfItsSize() {
        assertThat(LAYOUT.fields()).extracting(ArgumentLayout.Field::offset).containsExactly(0, 8, 16, 24, 28, 32);
        assertThat(LAYOUT.bytes()).isEqualTo(40);
    }

    @Test
    void valuesLieAtTheirFields() {
        ByteBuffer struct = ByteBuffer.wrap(full().struct()).order(ByteOrder.nativeOrder());
        assertThat(struct.getLong(0)).isEqualTo(-2);
        assertThat(struct.getInt(8)).isEqualTo(3);
        assertThat(struct.getLong(16)).isEqualTo(1L << 40);
        assertThat(struct.getInt(32)).isEqualTo(6);
        assertThat(full().int64("bytes")).isEqualTo(1L << 40);
        assertThat(full().int32("limit")).isEqualTo(5);
    }

    @Test
    void aFieldWithoutValueIsFound() {
        KernelArguments arguments = new KernelArguments(ArgumentLayout.of("one").int32("count"));
        assertThatThrownBy(arguments::struct)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("one has no values for [count]");
    }

    @Test
    void wrongFieldsAreRefused() {
        KernelArguments arguments = new KernelArguments(LAYOUT).int32("count", 1);
        assertThatThrownBy(() -> arguments.int32("count", 1)).hasMessage("batch has a value for count already");
        assertThatThrownBy(() -> arguments.int64("first", 1)).hasMessage("batch has a field first of 4 bytes");
        assertThatThrownBy(() -> arguments.int32("last", 1)).hasMessage("batch has no field last");
    }

    @Test
    void theNumberKnowsNamesOffsetsAndSizes() {
        ArgumentLayout one = ArgumentLayout.of("s").pointer("a").int32("b");
        assertThat(one.constants("w"))
                .containsOnlyKeys("w_s_bytes", "w_s_layout")
                .containsEntry("w_s_bytes", 16);
        assertThat(number(ArgumentLayout.of("s").pointer("b").int32("a"))).isNotEqualTo(number(one));
        assertThat(number(ArgumentLayout.of("s").int32("a").int32("b"))).isNotEqualTo(number(one));
        assertThat(number(ArgumentLayout.of("s").pointer("a").pointer("b"))).isNotEqualTo(number(one));
        assertThat(number(ArgumentLayout.of("s").int64("a").int32("b"))).isEqualTo(number(one));
    }

    private static int number(ArgumentLayout layout) {
        return layout.constants("w").get("w_s_layout");
    }
}
