package io.warpcodec.metrics;

import java.util.regex.Pattern;

/**
 * The counters of {@link Metrics}, each family by the pattern of its names. Upper-case parts of a pattern stand for
 * {@code decode} or {@code encode} (DIRECTION), a format's word (FORMAT), {@code cpu} or {@code gpu} (ENGINE), and a
 * {@linkplain FallbackReason#word() reason} (REASON). docs/user/metrics-and-fallbacks.md is made of this file.
 */
public enum CounterFamily {
    STREAMS("DIRECTION.FORMAT.streams", "streams", "Streams that delivered or took a first byte."),
    CHUNKS("DIRECTION.FORMAT.ENGINE.chunks", "chunks", "Chunks that an engine finished."),
    BYTES_IN(
            "DIRECTION.FORMAT.ENGINE.bytesIn",
            "bytes",
            "What that work read: compressed bytes when decoding, raw bytes when encoding."),
    BYTES_OUT(
            "DIRECTION.FORMAT.ENGINE.bytesOut",
            "bytes",
            "What that work wrote: raw bytes when decoding, compressed bytes when encoding."),
    NANOS(
            "DIRECTION.FORMAT.ENGINE.nanos",
            "ns",
            "Elapsed time of the working threads in that work. For GPUs it includes waiting for them."),
    SIDECAR_USED(
            "decode.gzip.sidecar.used",
            "streams",
            "Splits of a plain `.gz` that began at a seek point of the index beside it."),
    FALLBACK(
            "fallback.DIRECTION.FORMAT.REASON",
            "pieces of work",
            "Work that was not done where it was preferred: a chunk, a batch or a session, which the CPU did. The reasons are below."),
    VERIFY_CHUNKS("verify.FORMAT.chunks", "chunks", "Written chunks that `verify.writes` decoded again and compared."),
    VERIFY_MISMATCHES(
            "verify.FORMAT.mismatches",
            "chunks",
            "Chunks that did not decode to what was given. Anything but 0 is an alarm."),
    POOL_WAVES("pool.waves", "waves", "Waves of work that were sent to GPUs."),
    POOL_LEASES(
            "pool.leases",
            "requests",
            "Requests of streams in these waves. Many requests a wave mean that streams share GPUs well."),
    POOL_ASKED_AGAIN(
            "pool.asked-again",
            "requests",
            "Requests that had to ask for a GPU's memory a second time, when their turn came. At the first time none was"
                    + " free, or their results had been given up for other work since."),
    POOL_WAVE_SPLITS(
            "pool.wave-splits", "waves", "Waves that a GPU had no memory for and that were sent again in halves."),
    POOL_DEVICES_LOST(
            "pool.devices-lost", "GPUs", "GPUs that were given up until the process ends. Anything but 0 is an alarm.");

    private final String pattern;
    private final String unit;
    private final String meaning;
    private final Pattern names;

    CounterFamily(String pattern, String unit, String meaning) {
        this.pattern = pattern;
        this.unit = unit;
        this.meaning = meaning;
        this.names = Pattern.compile(pattern.replace(".", "\\.")
                .replace("DIRECTION", "(decode|encode)")
                .replace("FORMAT", "[a-z0-9]+")
                .replace("ENGINE", "(cpu|gpu)")
                .replace("REASON", "[a-z-]+"));
    }

    /** How its counters are named. */
    public String pattern() {
        return pattern;
    }

    /** What its counters count. */
    public String unit() {
        return unit;
    }

    /** What its counters say, in a sentence or two. */
    public String meaning() {
        return meaning;
    }

    /** Whether a counter of this name is one of the family. */
    public boolean has(String name) {
        return names.matcher(name).matches();
    }
}
