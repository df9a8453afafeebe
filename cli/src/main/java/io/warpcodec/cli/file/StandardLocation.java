package io.warpcodec.cli.file;

import io.warpcodec.cli.file.publish.DirectOutput;
import io.warpcodec.cli.file.publish.PendingOutput;
import io.warpcodec.cli.file.system.FileAttributes;
import io.warpcodec.cli.file.system.FileReason;
import java.io.IOException;
import java.io.OutputStream;

/** Standard input and standard output. */
final class StandardLocation implements Location {

    @Override
    public String name() {
        return STANDARD;
    }

    @Override
    public boolean isStandard() {
        return true;
    }

    @Override
    public CountedInput open() {
        return new CountedInput("(standard input)", System.in);
    }

    @Override
    public PendingOutput create(boolean replace, FileAttributes inherited) {
        return new DirectOutput("(standard output)", new PrintedBytes(), false);
    }

    /** Standard output with its errors: a PrintStream keeps them to itself. */
    private static final class PrintedBytes extends OutputStream {

        @Override
        public void write(int value) throws IOException {
            System.out.write(value);
            check();
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            System.out.write(bytes, start, length);
            check();
        }

        @Override
        public void flush() throws IOException {
            System.out.flush();
            check();
        }

        private static void check() throws IOException {
            IOException failure = StandardOutput.failure();
            if (failure != null) {
                throw new IOException("cannot be written: " + FileReason.of(failure), failure);
            }
        }
    }
}
