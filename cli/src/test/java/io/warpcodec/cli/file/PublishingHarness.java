package io.warpcodec.cli.file;

import io.warpcodec.cli.ToolRun;
import io.warpcodec.cli.file.system.FileAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Disturbs every access of every call to a file system, one at a time, and says what does not hold afterwards. A
 * first call of each scenario is recorded: its accesses, times the faults that fit them, are the cases. After each
 * case, whatever happened:
 *
 * <ol>
 *   <li>the input or a complete output is there, under a name that a person looks for or that the next call tells;
 *   <li>if the call did not end with its work done, the same call once more does;
 *   <li>at no moment had a file more readers than the input;
 *   <li>a file of another process is still there, unless the call was told to replace it.
 * </ol>
 */
final class PublishingHarness {

    /** Says which file in the folder has more readers than the input; null if there is none. */
    interface Watch {

        /** Looks at permissions, after each access. */
        String glance() throws IOException;

        /**
         * Looks at all attributes and lets another user try to read, after each access of undisturbed calls and at
         * the end of each case.
         */
        String inspect() throws IOException;
    }

    private final Arena<?> arena;
    private final FileAttributes inputAttributes;
    private final Watch watch;
    private final List<String> wrong = new ArrayList<>();
    private int cases;
    private final int first;
    private int number;
    private int accesses;

    /**
     * @param inputAttributes what the files have at the start
     * @param watch is asked after each access
     * @param first which case of all is disturbed first, less than the stride
     */
    PublishingHarness(Arena<?> arena, FileAttributes inputAttributes, Watch watch, int first) {
        this.first = first;
        this.arena = arena;
        this.inputAttributes = inputAttributes;
        this.watch = watch;
    }

    /** How many calls have been disturbed. */
    int cases() {
        return cases;
    }

    /** How many accesses the undisturbed calls have. */
    int accesses() {
        return accesses;
    }

    /** What did not hold, a line each. */
    List<String> wrong() {
        return wrong;
    }

    /**
     * One access of an undisturbed call.
     *
     * @param outputIsWritten whether the call's own output has its name by then
     */
    record Recorded(SteppedFiles.Step step, boolean outputIsWritten) {}

    /**
     * Disturbs a call in all ways.
     *
     * @param stride 1 for every case, n for every n-th of all that this harness enumerates
     */
    void disturb(Scenario scenario, int stride) throws IOException {
        List<Recorded> steps = record(scenario);
        accesses += steps.size();
        for (Fault fault : Fault.values()) {
            for (int i = 0; i < steps.size(); i++) {
                Recorded recorded = steps.get(i);
                // a process that replaces a complete output whose input goes takes its content: nothing can keep it
                // from that
                boolean isFair = fault != Fault.OUTPUT_IS_OVERTAKEN
                        || !recorded.outputIsWritten()
                        || scenario.mayReplace() && scenario.keepsInput();
                if (isFair && fault.fits(recorded.step(), scenario) && number++ % stride == first) {
                    cases++;
                    disturb(scenario, fault, i, recorded.step());
                }
            }
        }
    }

    /** Puts the files of a scenario into the folder. */
    void setUp(Scenario scenario) throws IOException {
        SteppedFiles.release();
        arena.clear();
        for (Map.Entry<String, byte[]> file : scenario.before().entrySet()) {
            arena.write(file.getKey(), file.getValue(), inputAttributes);
        }
    }

    /** Does a call undisturbed; returns its accesses. */
    List<Recorded> record(Scenario scenario) throws IOException {
        setUp(scenario);
        List<Recorded> steps = new ArrayList<>();
        SteppedFiles.direct(step -> {
            steps.add(new Recorded(step, isWritten(scenario)));
            try {
                return step.whole().run();
            } finally {
                note(scenario.label() + ", undisturbed, after " + step, watch.inspect());
            }
        });
        ToolRun run = ToolRun.of(scenario.call(arena.uri()));
        SteppedFiles.release();
        Map<String, byte[]> files = arena.contents();
        if (run.exit() != 0 || !scenario.isDone(files) || !files.keySet().equals(scenario.after())) {
            wrong.add(
                    scenario.label() + ", undisturbed: exit " + run.exit() + ", " + files.keySet() + ", " + run.err());
        }
        return steps;
    }

    private boolean isWritten(Scenario scenario) throws IOException {
        byte[] output = arena.contents().get(scenario.output());
        return output != null && !Arrays.equals(output, scenario.before().get(scenario.output()));
    }

    private void disturb(Scenario scenario, Fault fault, int index, SteppedFiles.Step expected) throws IOException {
        setUp(scenario);
        String title = arena.uri() + ": " + scenario.label() + ", " + index + " " + expected + " " + fault;
        int[] count = {0};
        Set<String> foreign = new HashSet<>();
        SteppedFiles.direct(step -> {
            try {
                if (count[0]++ != index) {
                    return step.whole().run();
                }
                return fault.perform(step, scenario, arena, foreign);
            } finally {
                note(title + ", after " + step, watch.glance());
            }
        });
        ToolRun run = ToolRun.of(scenario.call(arena.uri()));
        SteppedFiles.release();
        if (count[0] <= index) {
            wrong.add(title + ": the call had only " + count[0] + " accesses");
        }
        if (foreign.isEmpty()) {
            check(title, scenario, run.exit());
        } else {
            checkOvertaken(title, scenario, foreign, run);
        }
    }

    private void note(String title, String found) {
        if (found != null) {
            wrong.add(title + ": " + found);
        }
    }

    /**
     * Checks what an interrupted call has left, and that the next one ends well.
     *
     * @param exit exit code of the call that was interrupted
     */
    void check(String title, Scenario scenario, int exit) throws IOException {
        Map<String, byte[]> files = arena.contents();
        requireContent(title, scenario, files);
        note(title, watch.inspect());
        if (scenario.isDone(files)) {
            requireAttributes(title, scenario);
            return;
        }
        if (exit == 0) {
            wrong.add(title + ": exit 0, but " + files.keySet());
        }
        ToolRun again = Scenario.finished(ToolRun.of(scenario.call(arena.uri())));
        Map<String, byte[]> afterwards = arena.contents();
        if (again.exit() != 0 || !scenario.isDone(afterwards)) {
            wrong.add(title + ": again: exit " + again.exit() + ", " + files.keySet() + " became " + afterwards.keySet()
                    + ", " + again.err());
            return;
        }
        requireAttributes(title, scenario);
        for (String name : afterwards.keySet()) {
            String fileName = name.substring(name.lastIndexOf('/') + 1);
            if (Scenario.isLeftover(name) && !again.err().contains(fileName)) {
                wrong.add(title + ": again: does not tell of " + name);
            }
        }
    }

    private void requireContent(String title, Scenario scenario, Map<String, byte[]> files) {
        boolean isKept = !scenario.keepsInput()
                || Arrays.equals(scenario.before().get(scenario.input()), files.get(scenario.input()));
        boolean isThere = files.entrySet().stream()
                .anyMatch(file -> !file.getKey().endsWith(".wci") && Scenario.holds(file.getValue(), Scenario.RAW));
        if (!isKept || !isThere) {
            wrong.add(title + ": LOST, there are only " + files.keySet());
        }
    }

    private void requireAttributes(String title, Scenario scenario) throws IOException {
        for (String name : scenario.after()) {
            FileAttributes has = arena.attributes(name);
            if (!inputAttributes.permissions().equals(has.permissions())
                    || !inputAttributes.acl().equals(has.acl())) {
                wrong.add(title + ": " + name + " has " + has.permissions() + " " + has.acl());
            }
        }
    }

    private void checkOvertaken(String title, Scenario scenario, Set<String> foreign, ToolRun run) throws IOException {
        Map<String, byte[]> files = arena.contents();
        for (String name : foreign) {
            // Overtaken before it was read, the input is what the other process has put there.
            boolean isThere = Arrays.equals(files.get(name), Scenario.FOREIGN)
                    || name.equals(scenario.input())
                            && files.values().stream().anyMatch(file -> Scenario.holds(file, Scenario.FOREIGN));
            boolean mayGo = name.equals(scenario.output()) && scenario.mayReplace();
            if (!isThere && !mayGo) {
                wrong.add(title + ": LOST the file of another process, exit " + run.exit() + ", there are "
                        + files.keySet() + ", " + run.err());
            }
        }
        if (!foreign.contains(scenario.input())) {
            requireContent(title, scenario, files);
        }
        if (run.exit() == 0 && foreign.contains(scenario.output()) && !scenario.isInPlace() && !scenario.mayReplace()) {
            wrong.add(title + ": exit 0 though the output is of another process");
        }
    }
}
