package io.warpcodec.format;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import java.nio.ByteBuffer;

/**
 * The container of one format: how its streams are cut, laid together, split, and recognised. One implementation
 * each, in the format's room. Stateless and thread-safe.
 */
public interface Container {
    /** The format. */
    Format format();

    /** A scanner for one stream under these options. */
    Scanner scanner(CodecOptions options);

    /** A scanner of a decoder that is pushed its input: it waits for nothing that the format does not owe. */
    default Scanner pushedScanner(CodecOptions options) {
        return scanner(options);
    }

    /** An assembler for one stream under these options. */
    Assembler assembler(CodecOptions options);

    /**
     * An assembler for a stream that is no file: a record, a block of a container. Nobody splits it, nor joins others
     * to it, so a chunk that is alone needs no marker.
     */
    default Assembler recordAssembler(CodecOptions options) {
        return assembler(options);
    }

    /**
     * An assembler for a bare compressor, whose callers keep what it makes in buffers of a few bytes more than they
     * give it: what is short enough to be one chunk has nothing that the format can do without.
     */
    default Assembler bareAssembler(CodecOptions options) {
        return recordAssembler(options);
    }

    /** The split rule; null for a format whose files are never cut. */
    default SyncPoints syncPoints() {
        return null;
    }

    /**
     * Whether a file of this format begins so, beyond doubt.
     *
     * @param head first bytes of the file, little-endian, indexed from 0; perhaps fewer than the format needs
     */
    default boolean isRecognised(ByteBuffer head) {
        return false;
    }

    /**
     * Whether a file of this format may begin so, as many others do; asked where neither {@link #isRecognised} nor
     * the name of the file tells.
     */
    default boolean isPossible(ByteBuffer head) {
        return false;
    }

    /**
     * What the head of a file says about its container.
     *
     * @param head as for {@link #isRecognised}
     */
    ContainerHeader describe(ByteBuffer head);
}
