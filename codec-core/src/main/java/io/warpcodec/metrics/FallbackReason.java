package io.warpcodec.metrics;

import java.util.Locale;

/**
 * Why a piece of work was not done where it was preferred. Each counter {@code fallback.DIRECTION.FORMAT.WORD} ends
 * with the {@link #word} of one of these constants, so a word never changes: dashboards name it.
 * docs/user/metrics-and-fallbacks.md is made of this file.
 */
public enum FallbackReason {
    START_UNPAID(
            Kind.CHOICE,
            "Mode auto: this process has not worked long enough for the start of a GPU to pay.",
            "Nothing. Where a process lives long, spark.plugins=io.warpcodec.spark.WarpcodecPlugin starts the GPU with the first stream; mode=gpu starts it always."),
    POOL_STARTING(
            Kind.CHOICE,
            "A GPU is starting; until it runs the CPU works.",
            "Nothing: it takes about a second, more where several processes start at once."),
    AUTO(
            Kind.CHOICE,
            "Mode auto expected the CPU to be cheaper for this piece of work.",
            "Nothing. `doctor` shows from how many bytes on a GPU wins here (`deviceFromBytes`); cpu.weight=10 spares CPU cores instead of time."),
    UNSUPPORTED(
            Kind.CHOICE,
            "No GPU code exists for this format.",
            "Nothing: GPUs read and write gzip, deflate, bzip2, lz4, snappy and zstd."),
    LEVEL(
            Kind.CHOICE,
            "The GPU encoder does not have this compression level.",
            "Leave the level at its default to encode on GPUs."),

    UNSUPPORTED_PLATFORM(
            Kind.NO_DEVICE, "GPUs are used on Linux on x86-64 only.", "Nothing: the CPU engine works everywhere."),
    NO_BINDING(
            Kind.NO_DEVICE,
            "The library that calls the NVIDIA driver (jcuda) is not on the class path, or does not load.",
            "Use warpcodec-all.jar, which holds it; `doctor` names the error, for example a temporary folder mounted noexec."),
    BINDING_IN_USE(
            Kind.NO_DEVICE,
            "Another class loader of this JVM has loaded the driver's binding; a JVM loads a native library once.",
            "Put the jar into one place only: either the jars folder of the installation or --jars, not both."),
    NO_DRIVER(
            Kind.NO_DEVICE,
            "This machine, or this container, has no NVIDIA driver (libcuda.so.1).",
            "Nothing on a machine without a GPU. Else install the driver; in a container use NVIDIA's container toolkit (docker run --gpus all)."),
    OLD_DRIVER(
            Kind.NO_DEVICE,
            "The NVIDIA driver is older than the kernels need.",
            "Install the driver version that `doctor` names, or newer."),
    NO_DEVICE(
            Kind.NO_DEVICE,
            "The driver works and shows no GPU.",
            "Look at CUDA_VISIBLE_DEVICES, and at what the scheduler assigned to this container; `nvidia-smi -L` lists what there is."),
    FAILED(
            Kind.NO_DEVICE,
            "The driver answered with an error when it was first asked.",
            "`doctor` prints the error; `nvidia-smi` and the kernel log say more. A driver that was just updated needs its module loaded anew."),
    NO_ASSIGNED_DEVICE(
            Kind.NO_DEVICE,
            "None of the GPUs that this process may use (setting devices, or Spark's assignment) is among those that the driver shows.",
            "Compare the setting devices with `nvidia-smi -L`; leave it out to use every visible GPU."),
    POOL_ELSEWHERE(
            Kind.NO_DEVICE,
            "Another copy of Warpcodec in this JVM, under another class loader, has the GPUs.",
            "Put the jar into one place only."),
    NO_GPU_ENGINE(
            Kind.NO_DEVICE,
            "The classes of the GPU engine are not on the class path.",
            "Use warpcodec-all.jar or the whole warpcodec-core jar."),
    GPU_ENGINE_FAILED(
            Kind.NO_DEVICE,
            "The GPU engine could not be made, for an unexpected reason.",
            "The log has one INFO line with the reason; please report it."),
    NO_KERNELS(
            Kind.NO_DEVICE,
            "The kernels jar has no code that this GPU runs, or is absent, or is of another version.",
            "`doctor` says which. Use a release, whose kernels run on every GPU since Turing, or build with nvcc."),
    DEVICE_FAILED(
            Kind.NO_DEVICE,
            "The GPU refused to start.",
            "The log has one INFO line with the driver's error; `nvidia-smi` shows whether the GPU is in exclusive mode or in error."),
    DEVICE_LOST(
            Kind.NO_DEVICE,
            "The GPU failed or stopped answering, and is given up until this process ends. No data is lost: the CPU did the work again.",
            "Look for an ERROR line of Warpcodec and an Xid line in the kernel log; restart the process once the GPU is sound."),
    NODE_LOST(
            Kind.NO_DEVICE,
            "The node service, which has the GPUs of this machine, is not there or does not answer. The CPU did the work; the next piece of work tries again after a second.",
            "`doctor` says what is wrong. Start the service (`warpcodec serve`), or set node.folder=none where there is none."),
    NODE_CLOSED(
            Kind.NO_DEVICE,
            "The folder of the node service, which devices=node asks for, does not let this account in.",
            "Add the account to the group that `doctor` names, or leave devices at its default."),
    POOL_CLOSED(Kind.NO_DEVICE, "The pool of GPUs is closed, because the process or the embedder ends it.", "Nothing."),
    INTERRUPTED(
            Kind.NO_DEVICE,
            "The thread was interrupted while it waited for a GPU to start.",
            "Nothing: this happens when tasks are killed."),

    POOL_FULL(
            Kind.BUSY,
            "No page-locked memory, or no memory on a GPU, was free. A chunk or segment whose turn has come waits for it no longer than for a GPU (device-slow).",
            "Nothing if it is rare. If not, raise pinned.max and memory.max, or let fewer processes share a GPU."),
    DEVICE_SLOW(
            Kind.BUSY,
            "The GPU, or the node service, had not done the work after two and a half times what the CPU takes for it (mode gpu: ten times, and a second). The CPU did it.",
            "Nothing if it is rare. Else other processes load the GPU, or it is sick: `nvidia-smi` and `doctor` show it."),
    POOL_RESTS(
            Kind.BUSY,
            "Mode auto leaves the GPUs alone for a second, up to a minute, because they were slower than the CPU three times running. Then one piece of work is tried beside the CPU.",
            "As for device-slow."),
    RESULTS_REVOKED(
            Kind.BUSY,
            "Results lay unread for 200 ms and other work needed the memory; the CPU made them again.",
            "Nothing if it is rare: streams were opened and then not read. Else raise pinned.max."),
    OUT_OF_MEMORY(
            Kind.BUSY,
            "The GPU had no memory for the work, or not enough to start.",
            "Lower memory.max so that it fits beside the other users of the GPU; `nvidia-smi` lists these."),
    OVER_MEMORY(
            Kind.BUSY,
            "One piece of this work needs more memory at once than memory.max, the GPU, or its share of pinned.max lets this process have.",
            "Raise memory.max and pinned.max, or let fewer processes share the GPU. A bzip2 block takes 12 MiB beside what is taken for every process."),
    CANCELLED(Kind.BUSY, "The stream was closed before the results were used.", "Nothing."),

    SESSION(
            Kind.DATA,
            "A long unit that cannot be cut into chunks was decoded on the CPU; of .zst, one with a window of more than 8 MiB, or 4 where a GPU has little memory.",
            "For GPU speed write with Warpcodec, or `warpcodec recompress` the file; for a plain .gz, `warpcodec index` also lets it split."),
    SEGMENT_SHORT(
            Kind.DATA,
            "What was left of a DEFLATE stream or a zstd frame is too short for a GPU to be worth it.",
            "Nothing: every long stream ends with this once."),
    SEGMENTS_SHORT(
            Kind.DATA,
            "A DEFLATE stream has blocks of which a GPU decodes little at a time; zlib went on with it.",
            "Nothing; `warpcodec recompress` makes such a file fast."),
    SEGMENT_EMPTY(
            Kind.DATA,
            "A segment of a DEFLATE stream had no block that a GPU could finish; zlib went on with it.",
            "Nothing; `warpcodec recompress` makes such a file fast."),
    SEGMENT_REFUSED(
            Kind.DATA,
            "A GPU found a segment of a DEFLATE stream or a zstd frame that it does not decode; zlib or libzstd went on with it and judges it.",
            "Nothing unless reading fails too: then the file is damaged."),
    UNITS_SHORT(
            Kind.DATA,
            "Many members or frames of a file were too short for a GPU, so those that follow are decoded on the CPU.",
            "`warpcodec recompress` makes such a file fast."),
    MANY_BLOCKS(
            Kind.DATA,
            "A run of LZ4 blocks, or a zstd frame, has more blocks than one piece of GPU work holds.",
            "Nothing: the CPU decodes it."),
    LINKED_BLOCKS(
            Kind.DATA,
            "A short LZ4 frame has linked blocks, which a GPU decodes only in long frames.",
            "Nothing; write with independent blocks (Warpcodec does) for the full speed."),
    NO_CONTENT_SIZE(
            Kind.DATA,
            "An LZ4 or zstd frame does not say how long it is when decoded.",
            "Nothing; `warpcodec recompress` writes frames that do."),
    HEADER_FIELDS(
            Kind.DATA,
            "A gzip member has header fields that the GPU's path does not read.",
            "Nothing: the CPU decodes that member."),
    BLOCK_TOO_LONG(
            Kind.DATA,
            "A block is longer than a GPU decodes well (256 KiB; a gzip member 1 MiB, a zstd frame 8 MiB).",
            "Nothing; smaller chunks (chunk.size) when the file is written help."),
    NOT_WELL_FORMED(
            Kind.DATA,
            "A chunk's container does not look right to the GPU's path; the CPU decodes it and judges it.",
            "Nothing unless reading fails too: then the file is damaged."),
    EMPTY(Kind.DATA, "A chunk decodes to no bytes.", "Nothing."),
    OVER_BUDGET(
            Kind.DATA,
            "A chunk decodes to more bytes than are held at a time; it was decoded piece by piece.",
            "Nothing; smaller chunks (chunk.size) when the file is written help."),
    CHUNK_UNDECODABLE(
            Kind.DATA,
            "What an index or a marker calls a chunk did not decode as one; the stream was decoded on from there without hints.",
            "Nothing unless reading fails too. A file with many of these has a wrong index: `warpcodec recompress` repairs it."),

    BLOCK_REFUSED(
            Kind.FAILURE,
            "A GPU refused a block; the CPU did the work again and its verdict counts.",
            "Nothing unless reading fails too: then the file is damaged. If files are good and this grows, please report it."),
    CHECKSUM(
            Kind.FAILURE,
            "What a GPU decoded had another checksum than the file says; the CPU did the work again and its verdict counts.",
            "Nothing if reading fails too: the file is damaged. If files are good and this grows, the GPU's memory may be failing (`nvidia-smi -q -d ECC`)."),
    DRIVER_ERROR(
            Kind.FAILURE,
            "A call to the driver failed and the GPU answered on; the CPU did the work.",
            "Nothing if it is rare; after 16 in a row the GPU is given up (device-lost)."),
    ENGINE_FAILED(
            Kind.FAILURE,
            "An engine failed a chunk for a reason that is not the data; the CPU did it again from the same input.",
            "Please report it."),
    VERIFY_MISMATCH(
            Kind.FAILURE,
            "The check verify.writes found that a written chunk does not decode to what was given; it was encoded again by the CPU and checked again before it was written.",
            "Hardware is failing, or an encoder is: set mode=cpu on that node, look at `nvidia-smi -q -d ECC`, and please report it."),

    SIDECAR_STALE(
            Kind.INDEX,
            "The index beside a .gz belongs to another content of that file; it was ignored.",
            "Run `warpcodec index` on the file again."),
    SIDECAR_UNREADABLE(
            Kind.INDEX,
            "The index beside a .gz is damaged, of another version, or may not be read; it was ignored.",
            "Run `warpcodec index` on the file again; look at its permissions."),
    SIDECAR_LYING(
            Kind.INDEX,
            "The index beside a .gz says what cannot be; it was ignored, or that task read the file from its start.",
            "Delete the index and run `warpcodec index` on the file again.");

    /** What several reasons have in common. */
    public enum Kind {
        CHOICE("A choice: nothing is wrong"),
        NO_DEVICE("No GPU takes work in this process"),
        BUSY("GPUs are busy or short of memory"),
        DATA("This data is not for a GPU"),
        FAILURE("Something failed and was done again"),
        INDEX("An index beside a .gz is not used");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        /** A heading for people. */
        public String title() {
            return title;
        }
    }

    private final Kind kind;
    private final String explanation;
    private final String remedy;

    FallbackReason(Kind kind, String explanation, String remedy) {
        this.kind = kind;
        this.explanation = explanation;
        this.remedy = remedy;
    }

    /** The last part of the counters' names: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What kind of reason it is, by which the pages for users sort them. */
    public Kind kind() {
        return kind;
    }

    /** What happened, in a sentence or two. */
    public String explanation() {
        return explanation;
    }

    /** What to do about it; {@code Nothing} where there is nothing to do. */
    public String remedy() {
        return remedy;
    }

    @Override
    public String toString() {
        return word();
    }
}
