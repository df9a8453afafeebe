package io.warpcodec.upstream;

import java.util.List;
import java.util.Map;

/**
 * How a test class of another project did.
 *
 * @param passed tests that passed
 * @param skipped tests that skipped themselves, for want of a native library for example
 * @param leftOut tests that were not run, with the reason
 * @param failures one text for each test that failed
 * @param streams what our codecs opened meanwhile
 * @param needsStreams whether a run without streams of ours has tested nothing
 */
public record UpstreamResult(
        String suite,
        long passed,
        long skipped,
        Map<String, String> leftOut,
        List<String> failures,
        Streams streams,
        boolean needsStreams) {

    /** Throws unless tests passed, none failed, and our codecs did some of the work. */
    public void check() {
        if (!failures.isEmpty()) {
            throw new AssertionError(suite + ": " + failures.size() + " failed\n" + String.join("\n", failures));
        }
        if (passed == 0 || needsStreams && streams.sum() == 0) {
            throw new AssertionError("nothing was tested: " + this);
        }
    }

    /** One row of a table in Markdown. */
    public String row(String version) {
        return "| %s | %s | %d | %d | %d | %d | %d |"
                .formatted(
                        suite.substring(suite.lastIndexOf('.') + 1),
                        version,
                        passed,
                        skipped,
                        leftOut.size(),
                        streams.encoded(),
                        streams.decoded());
    }
}
