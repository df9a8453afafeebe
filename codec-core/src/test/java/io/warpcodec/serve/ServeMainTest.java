package io.warpcodec.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.warpcodec.device.driver.DeviceDriver;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What a service that cannot begin says, in one line, as the tool's verbs do; and its exit status. */
class ServeMainTest {
    private String said;

    private int run(String... settings) throws InterruptedException {
        PrintStream before = System.err;
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        try {
            return ServeMain.run(settings, InputStream.nullInputStream());
        } finally {
            System.setErr(before);
            said = err.toString(StandardCharsets.UTF_8);
        }
    }

    @Test
    void withoutAGpu() throws Exception {
        assumeFalse(DeviceDriver.status().ready(), "there is a GPU");
        assertThat(run("node.folder=/dev/shm/warpcodec-test-none")).isEqualTo(ServeMain.NO_DEVICES);
        assertThat(said).startsWith("warpcodec: no GPU to serve: ").hasLineCount(1);
    }

    @Test
    void withASettingThatCannotBeRead() throws Exception {
        assertThat(run("node.folder=/dev/shm/warpcodec-test-none", "pinned.max=lots"))
                .isEqualTo(ServeMain.USAGE);
        assertThat(said).startsWith("warpcodec: ").contains("pinned.max").hasLineCount(1);
        assertThat(run("lots")).isEqualTo(ServeMain.USAGE);
        assertThat(said).isEqualTo("warpcodec: lots is no setting such as pinned.max=4g" + System.lineSeparator());
    }
}
