package io.warpcodec.cli.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.cli.file.publish.FailingDiscard;
import io.warpcodec.cli.file.system.FileProblem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** A file system may say only when a file is closed that something went wrong: the message names the file. */
class FailingCloseTest {
    @Test
    void ofAnInput() {
        InputStream source = new ByteArrayInputStream(new byte[0]) {
            @Override
            public void close() throws IOException {
                throw new IOException("Input/output error");
            }
        };
        assertThatThrownBy(new CountedInput("a/b.gz", source)::close)
                .isInstanceOf(FileProblem.class)
                .hasMessage("a/b.gz: input/output error");
    }

    @Test
    void ofAnOutputThatIsGivenUp() {
        assertThatThrownBy(new FailingDiscard("a/b.gz")::close)
                .isInstanceOf(FileProblem.class)
                .hasMessage("a/b.gz: input/output error");
    }
}
