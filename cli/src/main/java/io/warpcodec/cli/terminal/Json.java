package io.warpcodec.cli.terminal;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, numbers, truth values and null as JSON, indented. */
public final class Json {
    // Of Gson only JsonWriter, which all of its versions since 2.1 have: the demo's class path holds the version that
    // Spark brings.

    private Json() {}

    /** The text, over several lines, without a line end behind the last one. */
    public static String of(Object value) {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setIndent("  ");
            write(value, json);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(Object value, JsonWriter json) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.beginObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.name(entry.getKey().toString());
                write(entry.getValue(), json);
            }
            json.endObject();
        } else if (value instanceof List<?> list) {
            json.beginArray();
            for (Object element : list) {
                write(element, json);
            }
            json.endArray();
        } else if (value == null || value instanceof Number) {
            json.value((Number) value);
        } else if (value instanceof Boolean truth) {
            json.value(truth);
        } else {
            json.value(value.toString());
        }
    }
}
