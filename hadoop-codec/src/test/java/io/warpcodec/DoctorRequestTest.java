package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.Doctor.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DoctorRequestTest {
    @Test
    void optionsAreReadInAnyOrder() {
        assertThat(Request.of()).isEqualTo(new Request(0, 60, null));
        assertThat(Request.of("--check", "gpu", "--wait", "5", "--executors", "12"))
                .isEqualTo(new Request(12, 5, "gpu"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--check", "--check tpu", "--executors many", "--executors -1", "--wait -1", "--json yes", "gpu"
            })
    void anythingElseIsWrongUsage(String words) {
        assertThatThrownBy(() -> Request.of(words.split(" "))).isInstanceOf(IllegalArgumentException.class);
    }
}
