package io.warpcodec.device.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What an image of machine code says about itself: an ELF file of 64 bits, little-endian, with a symbol for each
 * entry and each variable.
 *
 * @param entries names of kernels
 * @param numbers variables of 32 bits and the values that they begin with, by name
 */
record DeviceCode(Set<String> entries, Map<String, Integer> numbers) {

    private static final int ELF_MAGIC = 0x464C457F;
    private static final int SECTION_BYTES = 64;
    private static final int SYMBOL_BYTES = 24;
    private static final int SYMBOL_TABLE = 2;
    private static final int OBJECT = 1;
    private static final int FUNCTION = 2;
    private static final String INITIAL_VALUES = ".nv.global.init";
    private static final String ZEROS = ".nv.global";

    /** A section's header. */
    private record Section(int name, int type, int at, int bytes, int link) {
        static Section of(ByteBuffer in, int at) {
            return new Section(
                    in.getInt(at),
                    in.getInt(at + 4),
                    Math.toIntExact(in.getLong(at + 24)),
                    Math.toIntExact(in.getLong(at + 32)),
                    in.getInt(at + 40));
        }
    }

    static DeviceCode parse(ByteBuffer content) {
        ByteBuffer in = content.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (in.getInt(0) != ELF_MAGIC) {
            throw new IllegalArgumentException("no ELF file");
        }
        int sectionsAt = Math.toIntExact(in.getLong(40));
        Section[] sections = new Section[in.getShort(60)];
        for (int i = 0; i < sections.length; i++) {
            sections[i] = Section.of(in, sectionsAt + i * SECTION_BYTES);
        }
        Section names = sections[in.getShort(62)];
        DeviceCode code = new DeviceCode(new HashSet<>(), new HashMap<>());
        for (Section table : sections) {
            for (int at = table.at();
                    table.type() == SYMBOL_TABLE && at < table.at() + table.bytes();
                    at += SYMBOL_BYTES) {
                String name = text(in, sections[table.link()].at() + in.getInt(at));
                int kind = in.get(at + 4) & 15;
                int index = in.getShort(at + 6);
                if (index <= 0 || index >= sections.length) {
                    continue;
                }
                Section section = sections[index];
                String sectionName = text(in, names.at() + section.name());
                if (kind == FUNCTION && sectionName.equals(".text." + name)) {
                    code.entries().add(name);
                } else if (kind == OBJECT && in.getLong(at + 16) == Integer.BYTES) {
                    if (sectionName.equals(INITIAL_VALUES)) {
                        code.numbers().put(name, in.getInt(section.at() + Math.toIntExact(in.getLong(at + 8))));
                    } else if (sectionName.equals(ZEROS)) {
                        code.numbers().put(name, 0);
                    }
                }
            }
        }
        return code;
    }

    private static String text(ByteBuffer in, int at) {
        int limit = at;
        while (in.get(limit) != 0) {
            limit++;
        }
        byte[] bytes = new byte[limit - at];
        in.get(at, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
