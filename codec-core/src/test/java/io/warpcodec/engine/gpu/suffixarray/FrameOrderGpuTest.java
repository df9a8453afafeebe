package io.warpcodec.engine.gpu.suffixarray;

import static io.warpcodec.engine.gpu.suffixarray.FrameOrder.MAX_FRAME_BYTES;
import static io.warpcodec.engine.gpu.suffixarray.FrameOrder.UNIT_BYTES;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.CUT_BYTES;
import static io.warpcodec.engine.gpu.suffixarray.SuffixArrayKernels.MAX_ROUNDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.warpcodec.TestSeed;
import io.warpcodec.device.driver.Device;
import io.warpcodec.device.driver.DeviceBuffer;
import io.warpcodec.device.driver.DeviceDriver;
import io.warpcodec.device.driver.DeviceException;
import io.warpcodec.device.driver.DeviceStream;
import io.warpcodec.device.driver.GpuTest;
import io.warpcodec.device.driver.PinnedBuffer;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Orders of frames' rotations by the GPU of this machine, checked by their neighbours. */
@GpuTest
class FrameOrderGpuTest {
    private static final int[] LENGTHS = {
        0, 1, 2, 127, 128, 129, 4096, UNIT_BYTES - 1, UNIT_BYTES, UNIT_BYTES + 1, (1 << 20) + 3, MAX_FRAME_BYTES
    };

    /** Bytes by which two rotations are told apart at most. */
    private static final int MOST_COMPARED_BYTES = (MAX_ROUNDS + 1) * CUT_BYTES;

    private static final byte POISON = (byte) 0xA5;
    private static final int POISONED_WORD = 0xA5A5A5A5;

    private static Device device;
    private static DeviceStream stream;
    private static FrameOrder sorter;

    private final Random random = new Random(TestSeed.value());

    @BeforeAll
    static void open() throws Exception {
        device = DeviceDriver.open(0);
        stream = device.openStream();
        sorter = FrameOrder.open(device);
    }

    @AfterAll
    static void close() {
        sorter.close();
        stream.close();
        device.close();
    }

    /**
     * A frame of a batch.
     *
     * @param toldBytes what its entry says of its length
     */
    private record Frame(String what, byte[] bytes, int units, int toldBytes) {
        static Frame of(String kind, byte[] bytes) {
            int units = Math.max(1, (bytes.length + UNIT_BYTES - 1) / UNIT_BYTES);
            return new Frame(kind + ", " + bytes.length + " bytes", bytes, units, bytes.length);
        }

        /** A frame that no order is made of. */
        static Frame refused(int toldBytes, int units) {
            return new Frame("told " + toldBytes + " bytes", new byte[0], units, toldBytes);
        }
    }

    private byte[] noise(int bytes) {
        byte[] raw = new byte[bytes];
        random.nextBytes(raw);
        return raw;
    }

    private byte[] period(int bytes, int period) {
        byte[] raw = noise(bytes);
        for (int i = period; i < bytes; i++) {
            raw[i] = raw[i - period];
        }
        return raw;
    }

    /** Words of two to nine letters, 3,000 different ones at most. */
    private byte[] text(int bytes) {
        byte[] letters = noise(3000 + 9);
        byte[] raw = new byte[bytes];
        Arrays.fill(raw, (byte) ' ');
        for (int at = 0; at < bytes; ) {
            int word = random.nextInt(3000);
            int length = 2 + word % 8;
            for (int i = 0; i < length && at < bytes; i++) {
                raw[at++] = (byte) ('a' + (letters[word + i] & 15));
            }
            at++;
        }
        return raw;
    }

    private static byte[] fibonacci(int bytes) {
        byte[] raw = new byte[Math.max(2, bytes)];
        raw[1] = 1;
        int shorter = 1;
        for (int longer = 2; longer < bytes; ) {
            System.arraycopy(raw, 0, raw, longer, Math.min(shorter, bytes - longer));
            int sum = longer + shorter;
            shorter = longer;
            longer = sum;
        }
        return Arrays.copyOf(raw, bytes);
    }

    @Test
    void framesOfEveryLengthAndKind() throws DeviceException {
        Map<String, IntFunction<byte[]>> kinds = new LinkedHashMap<>();
        kinds.put("noise", this::noise);
        kinds.put("one byte", byte[]::new);
        kinds.put("a period of 2", bytes -> period(bytes, 2));
        kinds.put("a period of 300", bytes -> period(bytes, 300));
        kinds.put("text", this::text);
        kinds.put("Fibonacci's word", FrameOrderGpuTest::fibonacci);
        List<Frame> frames = new ArrayList<>();
        kinds.forEach((kind, bytes) ->
                Arrays.stream(LENGTHS).forEach(length -> frames.add(Frame.of(kind, bytes.apply(length)))));
        requireOrders(frames);
    }

    /** Of one to five frames each, most of them short. */
    @Test
    void randomBatches() throws DeviceException {
        List<IntFunction<byte[]>> kinds =
                List.of(this::noise, byte[]::new, bytes -> period(bytes, 1 + random.nextInt(300)), this::text);
        for (int batch = Integer.getInteger("warpcodec.test.batches", 50); batch > 0; batch--) {
            List<Frame> frames = new ArrayList<>();
            for (int frame = random.nextInt(5); frame >= 0; frame--) {
                int most = random.nextInt(10) == 0 ? UNIT_BYTES + 9 : 3000;
                frames.add(Frame.of(
                        "batch " + batch,
                        kinds.get(random.nextInt(kinds.size())).apply(random.nextInt(most))));
            }
            requireOrders(frames);
        }
    }

    @Test
    void frameThatIsTooLongIsLeftAlone() throws DeviceException {
        requireOrders(List.of(
                Frame.of("text", text(70_000)),
                Frame.refused(UNIT_BYTES + 1, 1),
                Frame.of("noise", noise(30_000)),
                Frame.refused(-1, 1),
                Frame.refused(MAX_FRAME_BYTES + 1, MAX_FRAME_BYTES / UNIT_BYTES + 1),
                Frame.of("one byte", new byte[40_000])));
    }

    @Test
    void whatDoesNotFitIsRefused() throws DeviceException {
        int scratchBytes = Math.toIntExact(FrameOrder.scratchBytes(2, 1));
        try (DeviceBuffer text = device.allocate(2 * UNIT_BYTES);
                DeviceBuffer entries = device.allocate(2 * FrameOrder.ENTRY_BYTES);
                DeviceBuffer order = device.allocate(2 * UNIT_BYTES * Integer.BYTES);
                DeviceBuffer scratch = device.allocate(scratchBytes)) {
            DeviceBuffer less = scratch.slice(0, scratchBytes - 256);
            assertThatThrownBy(() -> sorter.enqueue(text, entries, order, 1, 2, less, stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> sorter.enqueue(text, entries, order, 2, 2, scratch, stream))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> sorter.enqueue(text, entries, order, 2, 1, scratch, stream))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** Sorts them in one batch, and again in other scratch. */
    private static void requireOrders(List<Frame> frames) throws DeviceException {
        int units = frames.stream().mapToInt(Frame::units).sum();
        long textBytes = (long) UNIT_BYTES * units;
        int entriesBytes = FrameOrder.ENTRY_BYTES * (frames.size() + 1);
        try (PinnedBuffer hostText = device.allocatePinned(textBytes);
                PinnedBuffer hostEntries = device.allocatePinned(entriesBytes);
                PinnedBuffer first = device.allocatePinned(Integer.BYTES * textBytes);
                PinnedBuffer second = device.allocatePinned(Integer.BYTES * textBytes);
                DeviceBuffer text = device.allocate(hostText.bytes());
                DeviceBuffer entries = device.allocate(entriesBytes);
                DeviceBuffer order = device.allocate(first.bytes());
                DeviceBuffer scratch = device.allocate(FrameOrder.scratchBytes(units, frames.size()))) {
            write(frames, hostText.view(), hostEntries.view());
            stream.upload(hostText, text);
            stream.upload(hostEntries, entries);
            for (PinnedBuffer target : List.of(first, second)) {
                stream.fill(order, POISON);
                stream.fill(scratch, target == first ? POISON : 0);
                sorter.enqueue(text, entries, order, frames.size(), units, scratch, stream);
                stream.download(order, target);
                stream.synchronise();
            }
            assertThat(first.view().mismatch(second.view())).isEqualTo(-1);
            IntBuffer words = first.view().asIntBuffer();
            for (Frame frame : frames) {
                int[] own = new int[frame.units * UNIT_BYTES];
                words.get(own);
                requireOrder(frame, own);
            }
        }
    }

    private static void write(List<Frame> frames, ByteBuffer text, ByteBuffer entries) {
        int unit = 0;
        for (Frame frame : frames) {
            long begin = (long) unit * UNIT_BYTES;
            entries.putLong(begin).putInt(frame.toldBytes).putInt(unit * FrameOrder.TILES_PER_UNIT);
            text.position((int) begin).put(frame.bytes);
            unit += frame.units;
        }
        entries.putLong(0).putInt(0).putInt(unit * FrameOrder.TILES_PER_UNIT);
    }

    private static void requireOrder(Frame frame, int[] words) {
        int count = frame.bytes.length;
        BitSet found = new BitSet(count);
        Arrays.stream(words, 0, count)
                .filter(place -> place >= 0 && place < count)
                .forEach(found::set);
        assertThat(found.cardinality()).as(frame.what).isEqualTo(count);
        byte[] circle = new byte[count + MOST_COMPARED_BYTES];
        for (int i = 0; i < circle.length && count > 0; i++) {
            circle[i] = frame.bytes[i % count];
        }
        for (int rank = 1; rank < count; rank++) {
            if (!mayPrecede(circle, count, words[rank - 1], words[rank])) {
                throw new AssertionError(frame.what + ": rank " + rank + " is wrong");
            }
        }
        assertThat(Arrays.stream(words, count, words.length).allMatch(word -> word == POISONED_WORD))
                .as(frame.what)
                .isTrue();
    }

    /**
     * Whether a place may stand before another one. Where the bytes that are compared reach over the end, those that
     * are not told apart may stand in any order.
     */
    private static boolean mayPrecede(byte[] circle, int count, int first, int second) {
        int differ = compare(circle, first, second, CUT_BYTES);
        if (differ != 0 || first < second) {
            return differ <= 0;
        }
        return compare(circle, first, second, MOST_COMPARED_BYTES) < 0
                || Math.max(first, second) + MOST_COMPARED_BYTES > count;
    }

    private static int compare(byte[] circle, int first, int second, int bytes) {
        return Arrays.compareUnsigned(circle, first, first + bytes, circle, second, second + bytes);
    }
}
