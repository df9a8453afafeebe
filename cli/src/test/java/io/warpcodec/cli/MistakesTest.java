package io.warpcodec.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.warpcodec.cli.terminal.ErrorText;
import io.warpcodec.cli.verb.RecompressTest;
import io.warpcodec.metrics.FallbackReason;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What people type by mistake: each is told in one line what is wrong and what to say, and nothing happens to a file.
 */
class MistakesTest {

    private static final Map<String, String> MAGIC = Map.of(
            "a.xz", "fd377a585a000004",
            "z.zip", "504b030414000000",
            "a.Z", "1f9d90",
            "a.lz", "4c5a495001",
            "t.parquet", "5041523115",
            "part-0", "53455106");

    @TempDir
    Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.write(folder.resolve("empty"), new byte[0]);
        Files.writeString(folder.resolve("text"), "some lines\nof text\n");
        Files.writeString(folder.resolve("x^2"), "x^2 begins as a zlib stream does, by chance");
        Files.write(folder.resolve("good.gz"), RecompressTest.plainGzip(Samples.text(1_000)));
        Files.write(folder.resolve("unnamed"), RecompressTest.plainGzip(Samples.text(1_000)));
        Files.createDirectory(folder.resolve("folder"));
        for (Map.Entry<String, String> file : MAGIC.entrySet()) {
            Files.write(folder.resolve(file.getKey()), HexFormat.of().parseHex(file.getValue()));
        }
    }

    private Map<String, Long> files() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                sizes.put(folder.relativize(file).toString(), Files.size(file));
            }
        }
        return sizes;
    }

    /** Words with {@code @} are files of the folder. */
    private Object[] call(String typed) {
        return Stream.of(typed.split(" "))
                .map(word -> word.replace("@", folder + "/"))
                .toArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // typed | said before | said now
                "-t @empty | neither its first bytes nor its name say a format | is empty: no compressed file",
                "-d @empty | has no suffix to take away | is empty: no compressed file",
                "-d @a.xz | has no suffix to take away | is xz, not one of ours: use xz -d",
                "-dc @z.zip | neither its first bytes | is zip, not one of ours: use unzip",
                "-d @a.Z | has no suffix to take away | is compress (.Z), not one of ours: use uncompress",
                "-t @a.lz | neither its first bytes | is lzip, not one of ours: use lzip -d",
                "-l @t.parquet | neither its first bytes | is Parquet, not one of ours: it is compressed inside",
                "info @part-0 | neither its first bytes | is a SequenceFile, not one of ours: it is compressed inside",
                "-d @text | has no suffix to take away | is not compressed, by its first bytes",
                "verify @text | neither its first bytes | is not compressed, by its first bytes",
                "-d @unnamed | has no suffix to take away | has no suffix to take away; -o or -c says where to write",
                "@nosuch.txt | did you mean bench? | nosuch.txt: no such verb or file",
                "@text | - | text: no such verb; 'warpcodec compress ",
                "@nosuch.txt -k | Unmatched arguments | nosuch.txt: no such file",
                "comprss @text | did you mean compress? | did you mean compress?",
                "compress -f gzip @text | -f is --force and takes no format | gzip: no such file; a format is --format gzip",
                "-l 9 @good.gz | -l is --list and takes no level | 9: no such file; a level is -9",
                "--threads x -k @text | 'x' is not an int | 'x' is no number",
                "--threads -2 -k @text | is less than 1 | Expected parameter for option '--threads' but found '-2'",
                "-99 @text | a file of this name is ./-99 | no format has this level",
                "-a @text | no hint | text is not converted",
                "-N @text | no hint | no name is stored",
                "-S .z @text | no hint | the suffix is what Hadoop and Spark choose the format by",
                "-9S .z @text | no hint | the suffix is what Hadoop and Spark choose the format by",
                "--rsyncable @text | no hint | each chunk stands alone anyway",
                "-j4 -k @text | no hint | say --threads N",
                "-P 4 -k @text | no hint | say --threads N",
                "--long=27 -k @text | no hint | windows are the format's own",
                "--filelist=x -k | no hint | xargs -a LIST",
                "-M 64 -k @text | no hint | memory is bounded without it",
                "-D x -k @text | no hint | dictionaries are not known here",
                "-b -k @text | did you mean --best? | say warpcodec bench FILE",
                "-s -k @text | did you mean --stdout? | memory is bounded without it",
                "-e -k @text | did you mean --engine? | say --best",
                "--export-index x @good.gz | no hint | say warpcodec index FILE.gz",
                "-d --count-lines @good.gz | no hint | say warpcodec -dc FILE",
                "recompress --clean --format zstd @folder | removed leftovers | leftovers are named and never deleted",
                "--rm -k @text | no hint | --rm deletes FILE, and -k keeps it",
                "--rm -c @text | no hint | --rm deletes FILE, and -c keeps it",
                "--rm -o @out.gz @text | no hint | --rm deletes FILE, and -o keeps it",
                "--format xz -k @text | is not one of | 'xz' is not one of gzip, deflate",
                "-k @folder | - | is a folder; -r takes the files in it",
                "-k s3a://bucket/x.gz | ClassNotFoundException | WARPCODEC_CLASSPATH=JARS",
                "-k nosuch://host/x | No FileSystem for scheme | nosuch",
                "-o @folder -k @text | - | is a folder",
                "-o @a.gz @text @empty | - | -o takes one FILE, not 2",
                "recompress @good.gz | Missing required option | --format",
                "recompress --format zstd | - | a FILE or FOLDER is missing",
                "index - | - | - has no place beside it",
                "decompress -19 @good.gz | - | Unknown option: '-19'",
                "--format snappy -9 @text | - | snappy has no levels",
            })
    void aMistakeIsToldInWordsThatHelp(String typed, String before, String now) throws IOException {
        Map<String, Long> untouched = files();
        ToolRun run = ToolRun.of(call(typed));
        assertThat(run.exit()).as(run.err()).isEqualTo(1);
        assertThat(run.complaints().get(0)).contains(now);
        assertThat(run.complaints()).hasSizeLessThanOrEqualTo(2);
        assertThat(files()).isEqualTo(untouched);
    }

    /** Both formats have such frames, and this one is longer than is looked at. */
    @Test
    void whatBeginsWithALongSkippableFrameIsNoPlainText() throws IOException {
        byte[] raw = Samples.text(1_000);
        for (String format : new String[] {"zstd", "lz4"}) {
            byte[] frame = ToolRun.fed(raw, "compress", "--format", format, "-").out();
            ByteBuffer file = ByteBuffer.allocate(8 + 300_000 + frame.length).order(ByteOrder.LITTLE_ENDIAN);
            file.putInt(0x184d2a50).putInt(300_000).position(8 + 300_000).put(frame);
            for (String words : new String[] {"-dc", "-dcf", "-t"}) {
                ToolRun run = ToolRun.fed(file.array(), call(words));
                assertThat(run.exit()).as(words).isEqualTo(1);
                assertThat(run.out()).as(words).isEmpty();
                assertThat(run.err())
                        .as(words)
                        .contains("begins with a long skippable frame, as files of lz4 and zstd do");
            }
            assertThat(ToolRun.fed(file.array(), call("-dc --format " + format)).out())
                    .isEqualTo(raw);
        }
    }

    @Test
    void aFullDiskIsToldOnce() throws IOException {
        for (String typed : new String[] {"-c @text", "-dc @good.gz", "-l @good.gz", "verify @good.gz"}) {
            try (OutputStream full = new FileOutputStream("/dev/full")) {
                ToolRun run = ToolRun.into(full, new byte[0], call(typed));
                assertThat(run.exit()).isEqualTo(1);
                assertThat(run.complaints())
                        .as(typed)
                        .singleElement()
                        .asString()
                        .contains("(standard output)");
            }
        }
    }

    @Test
    void whyNoDeviceWorksIsSaidInASentence() {
        for (FallbackReason reason : FallbackReason.values()) {
            assertThat(ErrorText.of(new IOException("mode=gpu, but gzip cannot be encoded on a device: " + reason)))
                    .endsWith(reason.word() + ". " + reason.explanation());
        }
    }

    // Words of other tools that mean what this one does

    @ParameterizedTest
    @CsvSource({
        "-n, gz",
        "-9n, gz",
        "-nf, gz",
        "--no-name, gz",
        "--rm, gz",
        "--synchronous, gz",
        "--no-progress, gz",
        "--format=gz, gz",
        "--format=zst, zst",
        "--format=zst --ultra -22, zst",
        "--format=bz2, bz2",
        "-T0, gz",
        "-p 4, gz"
    })
    void idiomsOfOtherToolsAreTaken(String words, String suffix) throws IOException {
        byte[] raw = Files.readAllBytes(folder.resolve("text"));
        assertThat(ToolRun.of(call(words + " @text")).complaints()).isEmpty();
        assertThat(folder.resolve("text")).doesNotExist();
        assertThat(ToolRun.of(call("@text." + suffix + " -d --rm")).complaints())
                .isEmpty();
        assertThat(folder.resolve("text")).hasBinaryContent(raw);
        assertThat(folder.resolve("text." + suffix)).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource({"-dcf", "-dfc", "'-cdf --to-stdout'", "'decompress -f --stdout'"})
    void whatIsNotCompressedIsPassedByForce(String words) throws IOException {
        for (String name : new String[] {"text", "empty", "x^2", "a.xz"}) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            assertThat(ToolRun.of(call(words + " @" + name)).out()).as(name).isEqualTo(bytes);
            assertThat(ToolRun.fed(bytes, call(words)).out()).as(name).isEqualTo(bytes);
        }
        Path wrong = Files.writeString(folder.resolve("wrong.gz"), "text with a suffix");
        assertThat(ToolRun.of(call(words + " @wrong.gz")).text()).isEqualTo("text with a suffix");
        assertThat(ToolRun.of(call(words + " @good.gz")).out()).isEqualTo(Samples.text(1_000));
        assertThat(ToolRun.of("decompress", "-c", wrong).exit()).isEqualTo(2);
    }
}
