package io.warpcodec.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.warpcodec.Format;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The layout of what {@code --json} prints, which scripts may match line by line, and that what it says can be read.
 */
class JsonTest {

    private static Map<String, Object> facts(Object value) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("fact", value);
        return facts;
    }

    @Test
    void everyFactHasALineOfItsOwn() {
        Map<String, Object> facts = facts(Format.GZIP);
        facts.put("bytes", 12_345_678_901L);
        facts.put("ratio", 2.5);
        facts.put("splittable", true);
        facts.put("reason", null);
        facts.put("none", List.of());
        facts.put("nothing", Map.of());
        facts.put("some", List.of("x", 1, facts("y")));
        assertThat(Json.of(facts)).isEqualTo("""
                        {
                          "fact": "GZIP",
                          "bytes": 12345678901,
                          "ratio": 2.5,
                          "splittable": true,
                          "reason": null,
                          "none": [],
                          "nothing": {},
                          "some": [
                            "x",
                            1,
                            {
                              "fact": "y"
                            }
                          ]
                        }""");
    }

    @Test
    void everyCharacterIsReadAsItWas() throws IOException {
        StringBuilder characters = new StringBuilder("\u2028 \u00e9 \ud83d\ude00 </script>");
        for (char c = 0; c < 0x100; c++) {
            characters.append(c);
        }
        Object read = new ObjectMapper()
                .readValue(Json.of(facts(Arrays.asList(characters.toString(), "a\nb"))), Object.class);
        assertThat(read).isEqualTo(facts(List.of(characters.toString(), "a\nb")));
    }
}
