package io.warpcodec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a failure means while the process ends, and otherwise. */
class EndingProcessTest {
    private static final AssertionError FAILURE = new AssertionError("closed under the test");

    @Test
    void aFailureIsAFailure() {
        assertThatThrownBy(() -> new EndingProcess().handleTestExecutionException(null, FAILURE))
                .isSameAs(FAILURE);
    }

    @Test
    void aFailureWhileTheProcessEndsIsNotTheTests() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Ending.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(process.waitFor()).isZero();
        assertThat(said).isEqualTo("org.opentest4j.TestAbortedException");
    }

    /** A test that fails in an exit hook. */
    static final class Ending {
        public static void main(String[] arguments) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    new EndingProcess().handleTestExecutionException(null, FAILURE);
                } catch (Throwable thrown) {
                    System.out.print(thrown.getClass().getName());
                    System.out.flush();
                }
            }));
        }
    }
}
