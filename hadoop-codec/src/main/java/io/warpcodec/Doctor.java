package io.warpcodec;

import io.warpcodec.doctor.ClusterDoctor;
import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.NodeReport;
import io.warpcodec.hadoop.SuffixResolution;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code doctor} where only a jar is: on a Spark cluster, or on one node.
 *
 * <pre>
 * spark-submit --class io.warpcodec.Doctor warpcodec-all.jar [--executors N] [--wait SECONDS] [--check gpu|cpu]
 * hadoop jar warpcodec-hadoop-all.jar io.warpcodec.Doctor [--check gpu|cpu]
 * </pre>
 *
 * Started by {@code spark-submit} it prints a table of nodes: what each executor will do, and what is wrong there.
 * Else it prints what the tool's {@code doctor} prints, of this node. With {@code --check} the verdict is all that is
 * printed, and the exit code is 0 if it is what was asked for, else 3. Wrong usage ends with 1.
 */
public final class Doctor {
    /** Found by name: the jar for Hadoop is without it. */
    private static final String SPARK_DOCTOR = "io.warpcodec.spark.ClusterExamination";

    private static final int WRONG_USAGE = 1;
    private static final int NOT_MET = 3;
    private static final String USAGE = "usage: io.warpcodec.Doctor [--executors N] [--wait SECONDS] [--check gpu|cpu]";

    private Doctor() {}

    /**
     * What was asked for.
     *
     * @param executors how many executors to wait for; 0 where that is not known
     * @param waitSeconds how long to wait for them at most
     * @param check {@code gpu}, {@code cpu}, or null for the whole report
     */
    record Request(int executors, int waitSeconds, String check) {
        private static final int WAIT_SECONDS = 60;

        /** @throws IllegalArgumentException if that is no usage */
        static Request of(String... arguments) {
            int executors = 0;
            int waitSeconds = WAIT_SECONDS;
            String check = null;
            List<String> words = new ArrayList<>(List.of(arguments));
            while (words.size() > 1) {
                String option = words.remove(0);
                String value = words.remove(0);
                switch (option) {
                    case "--executors" -> executors = Integer.parseInt(value);
                    case "--wait" -> waitSeconds = Integer.parseInt(value);
                    case "--check" -> check = value;
                    default -> throw new IllegalArgumentException(option);
                }
            }
            if (!words.isEmpty() || check != null && !check.matches("gpu|cpu") || executors < 0 || waitSeconds < 0) {
                throw new IllegalArgumentException(String.join(" ", arguments));
            }
            return new Request(executors, waitSeconds, check);
        }
    }

    /** Prints the report and ends the process if its exit code is not 0. */
    public static void main(String[] arguments) {
        int code;
        try {
            code = run(Request.of(arguments));
        } catch (IllegalArgumentException wrong) {
            System.err.println(USAGE);
            code = WRONG_USAGE;
        }
        if (code != 0) {
            System.exit(code);
        }
    }

    private static int run(Request request) {
        ClusterDoctor spark = sparkApplication();
        if (spark != null) {
            return spark.run(request.executors, request.waitSeconds, request.check, System.out) ? 0 : NOT_MET;
        }
        NodeReport report = NodeExamination.examine();
        if (request.check != null) {
            System.out.println(report.verdict(request.check).line());
            return report.verdict(request.check).holds() ? 0 : NOT_MET;
        }
        try {
            SuffixResolution.examine(report);
        } catch (LinkageError withoutHadoop) {
            report.fact("suffixes", "Hadoop is not on the class path");
        }
        System.out.print(report.asText());
        return 0;
    }

    /** Null where this process is no application of Spark's. */
    private static ClusterDoctor sparkApplication() {
        try {
            ClusterDoctor spark =
                    (ClusterDoctor) Class.forName(SPARK_DOCTOR).getConstructor().newInstance();
            return spark.isSubmitted() ? spark : null;
        } catch (ReflectiveOperationException | LinkageError withoutSpark) {
            return null;
        }
    }
}
