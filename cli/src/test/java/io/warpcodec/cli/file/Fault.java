package io.warpcodec.cli.file;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;

/** What can become of one access to a file system. */
enum Fault {
    /** It throws and has done nothing. */
    THROWS,
    /** It is done and throws nevertheless: the answer was lost. */
    LOSES_ITS_ANSWER,
    /** It does the first part of it and throws. */
    STOPS_HALFWAY,
    /** It answers false and has done nothing. */
    ANSWERS_FALSE,
    /** Before it, another process puts a file of its own where the output goes. */
    OUTPUT_IS_OVERTAKEN,
    /** Before it, another process puts a new file in the place of the input. */
    INPUT_IS_OVERTAKEN;

    /** Whether an access can have this fault. */
    boolean fits(SteppedFiles.Step step, Scenario scenario) {
        return switch (this) {
            case THROWS, LOSES_ITS_ANSWER -> true;
            case STOPS_HALFWAY -> step.half() != null;
            case ANSWERS_FALSE -> step.answersYesOrNo();
            case OUTPUT_IS_OVERTAKEN -> !scenario.output().equals(scenario.input());
            // No file system deletes a file on the condition that it is still the same.
            case INPUT_IS_OVERTAKEN -> !step.operation().equals("delete") && !(scenario.isInPlace() && isRename(step));
        };
    }

    private static boolean isRename(SteppedFiles.Step step) {
        return step.operation().equals("rename") || step.operation().equals("replace");
    }

    /**
     * Does an access with this fault.
     *
     * @param foreign takes the names of files that another process has written
     */
    Object perform(SteppedFiles.Step step, Scenario scenario, Arena<?> arena, Set<String> foreign) throws IOException {
        switch (this) {
            case THROWS -> throw new IOException("made to fail");
            case ANSWERS_FALSE -> {
                return false;
            }
            case LOSES_ITS_ANSWER -> {
                if (step.whole().run() instanceof Closeable lost) {
                    lost.close();
                }
                throw new IOException("made to fail when it was done");
            }
            case STOPS_HALFWAY -> {
                step.half().run();
                throw new IOException("made to fail halfway");
            }
            case OUTPUT_IS_OVERTAKEN -> {
                arena.replace(scenario.output(), Scenario.FOREIGN);
                foreign.add(scenario.output());
                return step.whole().run();
            }
            case INPUT_IS_OVERTAKEN -> {
                arena.replace(scenario.input(), Scenario.FOREIGN);
                foreign.add(scenario.input());
                return step.whole().run();
            }
            default -> throw new AssertionError(this);
        }
    }
}
