package io.warpcodec.cli;

import java.util.List;
import java.util.Map;

/** Writes maps, lists, strings, numbers, truth values and null as JSON, indented. */
final class Json {

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    static String of(Object value) {
        Json json = new Json();
        json.write(value, 0);
        return json.text.toString();
    }

    private void write(Object value, int depth) {
        if (value instanceof Map<?, ?> map) {
            writeAll('{', '}', map.entrySet(), depth);
        } else if (value instanceof List<?> list) {
            writeAll('[', ']', list, depth);
        } else if (value instanceof Map.Entry<?, ?> entry) {
            writeString(entry.getKey().toString());
            text.append(": ");
            write(entry.getValue(), depth);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            writeString(value.toString());
        }
    }

    private void writeAll(char open, char close, Iterable<?> values, int depth) {
        text.append(open);
        boolean first = true;
        for (Object value : values) {
            text.append(first ? "\n" : ",\n").append("  ".repeat(depth + 1));
            write(value, depth + 1);
            first = false;
        }
        if (!first) {
            text.append('\n').append("  ".repeat(depth));
        }
        text.append(close);
    }

    private void writeString(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
