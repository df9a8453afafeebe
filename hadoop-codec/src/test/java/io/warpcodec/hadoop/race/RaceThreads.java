package io.warpcodec.hadoop.race;

import io.warpcodec.hadoop.CodecUnderTest;
import io.warpcodec.hadoop.race.RaceFiles.RaceFile;
import io.warpcodec.hadoop.race.RaceStreams.Raced;
import io.warpcodec.hadoop.race.RaceStreams.Sink;
import io.warpcodec.hadoop.race.RaceStreams.Source;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.hadoop.fs.FSDataInputStream;

/** The threads of one race: some use streams that others close, some close, and some use streams of their own. */
final class RaceThreads {
    private static final int CLOSERS = 2;
    private static final int MOST_READ_BYTES = 80_000;
    private static final int MOST_SPINS_BEFORE_CLOSE = 60_000;

    private final RaceFiles files;
    private final RaceCounts counts;
    private final long seed;
    private final int racers = Math.max(4, Runtime.getRuntime().availableProcessors());
    private final int innocents = racers / 2;
    private final AtomicReferenceArray<Raced> slots = new AtomicReferenceArray<>(racers);
    private final String name;

    RaceThreads(CodecUnderTest subject, RaceFiles files, RaceCounts counts, long seed) {
        this.name = subject.name();
        this.files = files;
        this.counts = counts;
        this.seed = seed;
    }

    /** Work that a thread does again and again. */
    private interface Round {
        void run(Random random) throws Exception;
    }

    List<Thread> startAll() {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < racers; i++) {
            int slot = i;
            threads.add(thread("racer " + i, random -> race(slot, random)));
        }
        for (int i = 0; i < innocents; i++) {
            threads.add(thread("innocent " + i, this::innocent));
        }
        for (int i = 0; i < CLOSERS; i++) {
            threads.add(thread("closer " + i, this::closeOne));
        }
        threads.forEach(Thread::start);
        return threads;
    }

    private Thread thread(String role, Round round) {
        Random random = new Random(seed + role.hashCode());
        Thread thread = new Thread(() -> {
            while (!counts.isStopped()) {
                try {
                    round.run(random);
                } catch (Throwable wrong) {
                    counts.failure(role, wrong);
                }
            }
        });
        thread.setName("race " + name + " " + role);
        thread.setDaemon(true);
        return thread;
    }

    private void closeOne(Random random) {
        Raced raced = slots.getAndSet(random.nextInt(racers), null);
        if (raced == null) {
            Thread.onSpinWait();
            return;
        }
        raced.taken = true;
        raced.closeAfter(random.nextInt(1 + random.nextInt(MOST_SPINS_BEFORE_CLOSE)), counts);
    }

    private Raced offer(int slot, Closeable close) {
        Raced raced = new Raced(close);
        slots.set(slot, raced);
        return raced;
    }

    /** Takes a stream back. Returns false if another thread has taken it, and closes it. */
    private boolean takeBack(int slot, Raced raced) {
        return slots.compareAndSet(slot, raced, null);
    }

    private void race(int slot, Random random) throws Exception {
        RaceFile file = files.any(random);
        counts.raced.increment();
        if (random.nextBoolean()) {
            read(slot, file, random);
        } else {
            write(slot, file, random);
        }
    }

    /** Reads all, in pieces, and compares. Returns how many bytes came. */
    private int readAndCompare(InputStream in, byte[] expected, RaceFile file, Random random) throws IOException {
        byte[] buffer = new byte[MOST_READ_BYTES];
        int at = 0;
        while (true) {
            int count = random.nextInt(50) == 0
                    ? one(in, buffer)
                    : in.read(buffer, 0, 1 + random.nextInt(1 + random.nextInt(MOST_READ_BYTES)));
            if (count < 0) {
                counts.require(
                        at == expected.length, file.name() + " ends at " + at + " of " + expected.length + " bytes");
                return at;
            }
            if (at + count > expected.length || !Arrays.equals(buffer, 0, count, expected, at, at + count)) {
                counts.foreignBytes(file.name() + " from byte " + at + " on, read of " + count);
                return at;
            }
            at += count;
        }
    }

    private static int one(InputStream in, byte[] buffer) throws IOException {
        int value = in.read();
        buffer[0] = (byte) value;
        return value < 0 ? -1 : 1;
    }

    private void read(int slot, RaceFile file, Random random) throws IOException {
        Source source = new Source(files.open(file), counts, random);
        boolean second = file.second() != null && random.nextInt(3) == 0;
        FSDataInputStream opened = new FSDataInputStream(source);
        InputStream in = second ? file.secondHalf(opened) : file.codec().createInputStream(opened);
        Raced raced = offer(slot, in);
        try {
            readAndCompare(in, second ? file.second() : file.raw(), file, random);
        } catch (IOException thrown) {
            requireClosed(raced, thrown, "a reader of " + file.name());
        } finally {
            if (takeBack(slot, raced) || random.nextInt(4) == 0) {
                in.close();
            }
        }
    }

    /**
     * An exception of a stream is a failure unless another thread has taken the stream, and the exception comes from
     * the close.
     */
    private void requireClosed(Raced raced, IOException thrown, String where) {
        String message = String.valueOf(thrown.getMessage());
        if (raced.taken && (message.contains("closed") || message.contains("ended"))) {
            counts.closedUnder(thrown);
        } else {
            counts.failure(where, thrown);
        }
    }

    private void write(int slot, RaceFile file, Random random) throws IOException {
        Sink sink = new Sink(counts, random);
        OutputStream out = file.codec().createOutputStream(sink);
        Raced raced = offer(slot, out);
        int at = 0;
        IOException failure = null;
        boolean mine = false;
        try {
            while (at < file.raw().length) {
                int count = Math.min(file.raw().length - at, 1 + random.nextInt(MOST_READ_BYTES));
                out.write(file.raw(), at, count);
                at += count;
                if (random.nextInt(8) == 0) {
                    out.flush();
                }
            }
            mine = takeBack(slot, raced);
            if (mine) {
                out.close();
            }
        } catch (IOException thrown) {
            mine = takeBack(slot, raced);
            requireClosed(raced, thrown, "a writer of " + file.name());
        }
        failure = mine ? null : raced.outcome();
        requireWritten(file, sink.bytes(), at, failure == null);
    }

    /**
     * What was written is whole up to where it was closed between two calls, and not whole if it was closed during one.
     */
    private void requireWritten(RaceFile file, byte[] written, int rawBytes, boolean whole) {
        byte[] got = null;
        IOException refused = null;
        try (InputStream in = file.codec().createInputStream(new ByteArrayInputStream(written))) {
            got = in.readAllBytes();
        } catch (IOException thrown) {
            refused = thrown;
        }
        if (!whole) {
            counts.require(refused != null, file.name() + " was closed during a call, and what it wrote is whole");
        } else if (refused != null) {
            counts.failure("what was written of " + file.name(), refused);
        } else if (!Arrays.equals(got, 0, got.length, file.raw(), 0, rawBytes)) {
            counts.foreignBytes("written of " + file.name() + ", " + rawBytes + " bytes");
        }
    }

    private void innocent(Random random) throws IOException {
        RaceFile file = files.any(random);
        if (random.nextBoolean()) {
            try (InputStream in = file.codec()
                    .createInputStream(new FSDataInputStream(new Source(files.open(file), counts, random)))) {
                readAndCompare(in, file.raw(), file, random);
            }
        } else {
            Sink sink = new Sink(counts, random);
            try (OutputStream out = file.codec().createOutputStream(sink)) {
                int at = 0;
                while (at < file.raw().length) {
                    int count = Math.min(file.raw().length - at, 1 + random.nextInt(MOST_READ_BYTES));
                    out.write(file.raw(), at, count);
                    at += count;
                }
            }
            requireWritten(file, sink.bytes(), file.raw().length, true);
        }
        counts.innocent.increment();
    }
}
