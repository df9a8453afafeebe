package io.warpcodec.cli;

import picocli.CommandLine.Command;

/** The root of the command line: lists the verbs, which {@link Main} adds. */
@Command(
        name = "warpcodec",
        description =
                "Compresses, reads and checks .gz .deflate .bz2 .lz4 .snappy .zst on GPUs, and on the CPU where there is none.",
        mixinStandardHelpOptions = true,
        versionProvider = ToolVersion.class,
        synopsisSubcommandLabel = "VERB",
        footer = {
            "",
            "Without a verb, and with compress, options name one as gzip's do: -d decompresses, -t checks, -l lists.",
            "Each verb has --help. -f forces; --format names a format."
        })
final class WarpcodecCommand {}
