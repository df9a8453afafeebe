package io.warpcodec.engine.cpu.zstd;

import com.github.luben.zstd.Zstd;

/** What is said of data that libzstd refuses. */
final class ZstdRefusal {
    private ZstdRefusal() {}

    /**
     * libzstd's words for an error. Its memory for output is always large enough for what the headers tell. So where it
     * finds that too small the data is corrupt; which of both it says depends on where in a frame it began.
     *
     * @param code libzstd's number of the error
     * @param message its words
     */
    static String reason(long code, String message) {
        String words = code == Zstd.errDstSizeTooSmall() ? Zstd.getErrorName(-Zstd.errCorruptionDetected()) : message;
        return "the data is invalid: " + words;
    }
}
