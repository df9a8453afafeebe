package io.warpcodec;

/**
 * Every setting that {@link Settings} reads, as users meet it: the word behind the prefixes, the default, the values
 * and what it does. docs/user/settings.md is made of this file. Texts are Markdown without line ends.
 */
public enum Setting {
    MODE(
            "mode",
            "`auto`",
            "`auto`, `gpu`, `cpu`",
            "Which engine works. `auto`: a GPU where it is healthy and expected to be faster, else the CPU; the CPU also works until starting the GPU has paid,"
                    + " 10 to 20 s of a process that is busy with codecs (a `.gz` with 260 MB or more to come starts it at once). `gpu`: a GPU, or an error that says why"
                    + " not. `cpu`: never a GPU.",
            "The system property `warpcodec.mode` overrides it, for emergencies. Tool: `--engine`"),
    LEVEL_OF_FORMAT(
            "level.FORMAT",
            "gzip, deflate 6; bzip2 9; lz4 1; zstd 3",
            "`level.gzip`, `level.deflate` 0 to 9; `level.bzip2` 1 to 9; `level.lz4` 1 to 12; `level.zstd` -131072 to 22",
            "How hard the writer of one format tries to make files small. A level that the format does not have is an error.",
            "Where it is not set: `level`, then Hadoop's own key `zlib.compress.level` (gzip, deflate), `bzip2.compress.blocksize`,"
                    + " `io.compression.codec.lz4.use.lz4hc` (true: 9), `io.compression.codec.zstd.level`, or Spark's `spark.io.compression.zstd.level` (1). Tool: `--level`"),
    LZ4_FRAMING(
            "lz4.framing",
            "`frame`",
            "`frame`, `hadoop`",
            "What `.lz4` files are written as: LZ4 frames, which `lz4` and everything but Hadoop's own codec read, or Hadoop's framing, which Hadoop's own codec reads."
                    + " Both are read, whatever is set.",
            "Spark's codecs (shuffle, cache) write as Spark's own do, whatever is set"),
    DEVICES(
            "devices",
            "those of the node service where it runs, else every visible GPU",
            "`own`, `node`, or ordinals, UUIDs or PCI addresses, separated by commas",
            "The GPUs that this process may use. `node`: those of the node service alone. `own`: every visible GPU, without the service. Addresses: these, without the service.",
            "An assignment of GPUs by Spark wins, where the plugin is set"),
    MEMORY_MAX(
            "memory.max",
            "on each GPU `2g`, or an eighth of its memory if that is less",
            "a size such as `512m`",
            "Most memory taken on each GPU, however many there are. It is taken when the GPU starts.",
            ""),
    PINNED_MAX(
            "pinned.max",
            "`256m` for each GPU of the process, `1g` at most: with 1, 2, 4, 8 GPUs `256m`, `512m`, `1g`, `1g`",
            "a size such as `128m`",
            "Most page-locked host memory of the process, in equal shares for its GPUs. It is outside the Java heap: add it to `spark.executor.memoryOverhead`, or to"
                    + " what the container may have beside the heap. The default is enough for one GPU. Two read `.gz` with it at"
                    + " [three quarters](performance.md#several-processes-several-gpus) of twice the speed of one, with `1g` at nine tenths. Where that counts, set `512m` for"
                    + " each GPU: `1g`, `2g`, `4g` for 2, 4, 8. With less than 26 MiB for each GPU, pieces of work get smaller.",
            "The node service: for all clients together, `4g`, or an eighth of the machine's memory if that is less"),
    LEVEL(
            "level",
            "not set",
            "a whole number",
            "One level for all formats but LZ4 and Snappy. Outside a format's range the nearest level is used, with one WARN line.",
            "`level.FORMAT` wins"),
    CHUNK_SIZE(
            "chunk.size",
            "gzip, deflate, lz4, zstd `256k` (lz4 in Hadoop's framing `64k`; files of zstd from level 10 on 8 MiB); snappy `64k`; bzip2 a full block",
            "`1k` to `1m`",
            "Raw bytes of a chunk, the piece of a file that is compressed, decompressed and checked on its own. Larger chunks make files slightly smaller, smaller ones"
                    + " need less memory.",
            "Spark's lz4 and snappy codecs: `spark.io.compression.lz4.blockSize`, `spark.io.compression.snappy.blockSize` (32k) where it is not set"),
    INDEX(
            "index",
            "`true`",
            "`true`, `false`",
            "Whether an index beside a `.gz` file is looked for. Without one a plain `.gz` does not split.",
            ""),
    LENIENT(
            "lenient",
            "`false`",
            "`true`, `false`",
            "Whether damaged files in Hadoop's framing (snappy, lz4) are read as Hadoop's own codecs do, which take a truncated file for a whole one.",
            ""),
    VERIFY_WRITES(
            "verify.writes",
            "`0`",
            "`0` to `1`",
            "Share of the written chunks that are decoded again and compared before they are written.",
            ""),
    BATCH_SIZE(
            "batch.size",
            "`8m`",
            "`1m` to `512m`",
            "Most raw bytes of a wave: what is launched on a GPU at once. Up to twelve waves are under way, if they"
                    + " fit into `memory.max`; if not even three fit, waves get smaller.",
            ""),
    BATCH_LINGER(
            "batch.linger",
            "`0us`",
            "a time such as `200us` or `1ms`",
            "How long a small piece of work waits for others while the GPU is busy. An idle GPU starts at once.",
            ""),
    NODE_FOLDER(
            "node.folder",
            "`/run/warpcodec`",
            "an absolute path, or `none`",
            "The folder of the node service, which has the GPUs for every process of a machine. Where no service is, processes use GPUs by themselves.",
            "Tool: `serve --folder`"),
    NODE_USERS(
            "node.users",
            "not set",
            "names, separated by commas",
            "Users that may run the node service, beside root and the user of this process. A service of another user is not used, since it sees the data.",
            ""),
    CPU_WEIGHT(
            "cpu.weight",
            "`1`",
            "0 or more",
            "Price of CPU time when `auto` chooses: a second of a core's work costs as much as this many seconds of"
                    + " waiting, besides the second that passes. 0 looks at elapsed time only, 10 spares the cores.",
            ""),
    CPU_THREADS(
            "cpu.threads",
            "the number of processors",
            "1 or more",
            "Chunks that the tool works on at once. The bytes are the same whatever the number. In Hadoop and Spark a task's work stays on its own thread: they have no"
                    + " such setting.",
            "Tool only: `--threads`");

    /** What users change first; the others are for special needs. */
    private static final int EVERYDAY = 6;

    private final String word;
    private final String defaultValue;
    private final String values;
    private final String meaning;
    private final String elsewhere;

    Setting(String word, String defaultValue, String values, String meaning, String elsewhere) {
        this.word = word;
        this.defaultValue = defaultValue;
        this.values = values;
        this.meaning = meaning;
        this.elsewhere = elsewhere;
    }

    /**
     * What follows the prefixes {@link Settings#HADOOP_PREFIX} and {@link Settings#SPARK_PREFIX}; FORMAT in it stands
     * for a format's word.
     */
    public String word() {
        return word;
    }

    /** The word for one format: {@code level.gzip}. */
    public String word(Format format) {
        return word.replace("FORMAT", format.word());
    }

    /** What holds where nothing is set. */
    public String defaultValue() {
        return defaultValue;
    }

    /** What may be set. */
    public String allowedValues() {
        return values;
    }

    /** What it does. */
    public String meaning() {
        return meaning;
    }

    /** Other ways to set it, and what wins; empty where there are none. */
    public String elsewhere() {
        return elsewhere;
    }

    /** Whether it is one of the few that users change first. */
    public boolean isEveryday() {
        return ordinal() < EVERYDAY;
    }

    /** Whether Hadoop and Spark have it; else it is the tool's alone. */
    public boolean isOfHosts() {
        return this != CPU_THREADS;
    }
}
