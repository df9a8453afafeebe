package io.warpcodec.cli.verb;

import io.warpcodec.cli.file.Location;
import io.warpcodec.cli.file.system.FileProblem;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Which input each output of a call is made of, known before the first one is written: two inputs of one output are
 * refused.
 */
final class Claims {

    private final Map<Object, String> inputs = new HashMap<>();

    /**
     * Claims an output for an input.
     *
     * @throws FileProblem if another input, or the same one a second time, has claimed it
     */
    void claim(Location output, Location input) throws IOException {
        String other = inputs.putIfAbsent(output.key(), input.name());
        if (other != null) {
            throw new FileProblem(input.name(), "would be written to " + output.name() + ", as would " + other);
        }
    }
}
