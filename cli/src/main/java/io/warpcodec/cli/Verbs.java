package io.warpcodec.cli;

import io.warpcodec.cli.bench.BenchCommand;
import io.warpcodec.cli.doctor.DoctorCommand;
import io.warpcodec.cli.serve.ServeCommand;
import io.warpcodec.cli.verb.CompressCommand;
import io.warpcodec.cli.verb.DecompressCommand;
import io.warpcodec.cli.verb.IndexCommand;
import io.warpcodec.cli.verb.InfoCommand;
import io.warpcodec.cli.verb.RecompressCommand;
import io.warpcodec.cli.verb.VerifyCommand;
import java.util.List;

/** The verbs of the command line. Each class is loaded when its verb is asked for. */
final class Verbs {

    /** Their names, as {@code --help} lists them. */
    static final List<String> NAMES = List.of(
            "compress",
            "decompress",
            "info",
            "verify",
            "recompress",
            "index",
            "bench",
            "serve",
            "doctor",
            "demo",
            "classpath",
            "completion");

    private Verbs() {}

    /** A new verb with this name, which is also that of its description. */
    static Object named(String name) {
        return switch (name) {
            case "compress" -> new CompressCommand();
            case "decompress" -> new DecompressCommand();
            case "info" -> new InfoCommand();
            case "verify" -> new VerifyCommand();
            case "recompress" -> new RecompressCommand();
            case "index" -> new IndexCommand();
            case "bench" -> new BenchCommand();
            case "serve" -> new ServeCommand();
            case "doctor" -> new DoctorCommand();
            case "demo" -> new DemoCommand();
            case "classpath" -> new ClasspathCommand();
            case "completion" -> new CompletionCommand();
            default -> throw new IllegalArgumentException("no verb is called " + name);
        };
    }
}
