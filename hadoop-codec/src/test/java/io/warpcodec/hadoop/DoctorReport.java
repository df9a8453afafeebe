package io.warpcodec.hadoop;

import io.warpcodec.doctor.NodeExamination;
import io.warpcodec.doctor.NodeReport;

/** A main class for processes with another class path: prints what doctor says about the CPU, and its report. */
final class DoctorReport {
    private DoctorReport() {}

    public static void main(String[] arguments) {
        NodeReport report = NodeExamination.examine();
        System.out.println(report.cpu().line());
        System.out.print(report.asText());
    }
}
