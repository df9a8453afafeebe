package io.warpcodec.format.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class Bzip2Crc32Test {
    @Test
    void theCheckValueIsThatOfTheCatalogues() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(Bzip2Crc32.value(Bzip2Crc32.update(Bzip2Crc32.START, digits, 0, 9)))
                .isEqualTo(0xfc891918);
    }

    @Test
    void bytesInGroupsCountAsBytesAlone() {
        byte[] bytes = new byte[100];
        new Random(1).nextBytes(bytes);
        for (int start = 0; start < 10; start++) {
            for (int length = 0; length < 80; length++) {
                int register = Bzip2Crc32.START;
                for (int i = start; i < start + length; i++) {
                    register = Bzip2Crc32.update(register, bytes, i, 1);
                }
                assertThat(Bzip2Crc32.update(Bzip2Crc32.START, bytes, start, length))
                        .isEqualTo(register);
            }
        }
    }
}
