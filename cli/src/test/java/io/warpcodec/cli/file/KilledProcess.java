package io.warpcodec.cli.file;

import io.warpcodec.cli.ToolRun;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * A process with many calls of the tool, each stopped for ever before one of its accesses or halfway through it. When
 * all have been stopped it says so, and waits to be killed. So one signal ends as many cases as there are accesses.
 *
 * <p>The arguments are a folder and, for each call, the label of its scenario, the number of the access, and
 * {@code before} or {@code halfway}; the files of the n-th call lie in {@code case-n} in the folder.
 */
public final class KilledProcess {

    /** What it prints when every call has been stopped. */
    static final String READY = "ready";

    private static final Pattern CASE = Pattern.compile("/case-(\\d+)(?:/|$)");
    private static final int WORDS_PER_CASE = 3;

    private final CountDownLatch running;
    private final Map<Integer, Call> calls = new ConcurrentHashMap<>();

    /** One call and how far it has come. Its accesses are made by one thread. */
    private static final class Call {
        private final Scenario scenario;
        private final int stop;
        private final boolean halfway;
        private int count;

        Call(Scenario scenario, int stop, boolean halfway) {
            this.scenario = scenario;
            this.stop = stop;
            this.halfway = halfway;
        }
    }

    private KilledProcess(int callCount) {
        this.running = new CountDownLatch(callCount);
    }

    public static void main(String[] arguments) throws Exception {
        Configuration.addDefaultResource("publishing-harness.xml");
        int callCount = (arguments.length - 1) / WORDS_PER_CASE;
        KilledProcess process = new KilledProcess(callCount);
        for (int i = 0; i < callCount; i++) {
            int at = 1 + WORDS_PER_CASE * i;
            Scenario scenario = Scenario.labelled(arguments[at]);
            process.calls.put(
                    i, new Call(scenario, Integer.parseInt(arguments[at + 1]), arguments[at + 2].equals("halfway")));
        }
        SteppedFiles.direct(process::perform);
        for (int i = 0; i < callCount; i++) {
            process.start(arguments[0] + "/case-" + i, process.calls.get(i));
        }
        process.running.await();
        System.out.println(READY);
        new CountDownLatch(1).await();
    }

    private void start(String folder, Call call) {
        Thread thread = new Thread(() -> {
            ToolRun.beside(call.scenario.call(folder));
            running.countDown();
        });
        thread.setDaemon(true);
        thread.start();
    }

    private Object perform(SteppedFiles.Step step) throws IOException {
        Matcher matcher = CASE.matcher(step.path().toString());
        Call call = matcher.find() ? calls.get(Integer.parseInt(matcher.group(1))) : null;
        if (call == null || call.count++ != call.stop) {
            return step.whole().run();
        }
        if (call.halfway) {
            step.half().run();
        }
        running.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
        throw new AssertionError();
    }
}
