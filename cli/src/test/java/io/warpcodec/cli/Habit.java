package io.warpcodec.cli;

import java.util.List;

/**
 * Something that people do with gzip, and what becomes of it here.
 *
 * @param what it in words
 * @param prepare commands that make the files
 * @param typed what is typed while it runs; empty for nothing
 * @param command what is run, with {@code %} for the tool
 * @param ours what is run for our tool, where that is another command
 * @param shows what both must show, a regular expression; empty for anything
 * @param because why it is refused; empty if it is kept
 */
record Habit(String what, String prepare, String typed, String command, String ours, String shows, String because) {

    private static final String RAW = "seq 1 3000 > a";
    private static final String GZIP = RAW + "; gzip a";
    private static final String TAKEN = RAW + "; echo other | gzip > a.gz";
    private static final String STATUS_OF_PIPE = " | head -n 1; (exit ${PIPESTATUS[0]})";

    /** All of them, in the order of the table. */
    static List<Habit> all() {
        return List.of(
                kept("a file is replaced by its compressed form", RAW, "% -9 a"),
                kept("`-k` keeps it", RAW, "% -k a"),
                kept("`-d` brings it back", GZIP, "% -d a.gz"),
                kept("several files at once", RAW + "; cp a b", "% --best a b"),
                kept("`-dc` shows the content", GZIP, "% -dc a.gz").showing("3000"),
                kept("`-c` into a file", RAW, "% -c a > b.gz"),
                kept("standard input where no file is named", RAW, "% < a > b.gz"),
                kept("members one behind the other are one file", GZIP, "cat a.gz a.gz | % -d > b"),
                kept("`-t` says nothing of a sound file", GZIP, "[ -z \"$(% -t a.gz 2>&1)\" ]"),
                kept("`-l` lists both sizes", GZIP, "% -l a.gz").showing("13893"),
                kept("`-v` says what was saved", RAW, "% -v --fast a").showing("%"),
                kept("`-r` takes a folder", "mkdir t; seq 1 99 > t/a", "% -r t; ls t")
                        .showing("a.gz"),
                kept("a folder is left alone without `-r`", "mkdir t; seq 1 99 > t/a", "% -k t"),
                kept("nothing binary is shown on a terminal", RAW, "% -9 < a").showing("terminal"),
                kept("nor read from a keyboard", "true", "% -d").showing("terminal"),
                kept("a short help where nothing is said at all", "true", "%").showing("help|Usage"),
                kept("a taken name is asked for: n", TAKEN, "% a; gzip -dc a.gz")
                        .with("% compress a; gzip -dc a.gz")
                        .typing("n")
                        .showing("other"),
                kept("a taken name is asked for: y", TAKEN, "% -9 a; gzip -dc a.gz | tail -n 1")
                        .typing("y")
                        .showing("3000"),
                kept("without a terminal it is refused", TAKEN, "% -9 a < /dev/null"),
                kept("`-f` replaces it", TAKEN, "% -f -9 a"),
                kept("what has the suffix already is left alone", GZIP, "% -9 a.gz; true")
                        .showing("already"),
                kept("so is a file with two names, unless forced", RAW + "; ln a b", "% -9 a"),
                kept("and a symbolic link", RAW + "; ln -s a b", "% -9 b"),
                kept(
                        "a reader that leaves ends it by SIGPIPE, without a word: 141",
                        GZIP,
                        "% -dc a.gz" + STATUS_OF_PIPE),
                kept("a full disk is one", RAW, "% -c a > /dev/full"),
                kept("`-n` stores no name", RAW, "% -9n a"),
                kept("options stand behind files", RAW, "% a -9k"),
                kept("`-dcf` passes what is not compressed", RAW, "% -dcf a").showing("3000"),
                kept("a suffix may have capitals", GZIP + "; mv a.gz A.GZ", "% -d A.GZ"),
                kept("`.tgz` becomes `.tar`", GZIP + "; mv a.gz x.tgz", "% -d x.tgz"),
                kept(
                        "`tar` takes it as its filter, and may leave before the end",
                        RAW + "; tar cf x.tar a; gzip x.tar",
                        "tar -I % --occurrence=1 -tf x.tar.gz a"),
                refused(
                        "a name without an option or verb",
                        RAW,
                        "% a",
                        "a misspelt verb would compress the file of that name; any option, `-k` for example, stands for the verb"),
                refused(
                        "0 as the exit status of a file that was left alone",
                        GZIP,
                        "% -9 a.gz",
                        "a script must see that the file was not done: 1"),
                refused(
                        "2 as the exit status of a warning",
                        RAW + "; cp a a.gz",
                        "% -t a.gz; [ $? = 1 ]",
                        "2 says that data is damaged, 1 that something else failed"),
                refused(
                        "`-f` follows a symbolic link and removes it",
                        RAW + "; ln -s a b",
                        "% -f -9 b",
                        "only the file that was read is ever deleted; `-k`, `-c` and `-o` read links"),
                refused(
                        "`-S` chooses a suffix",
                        RAW,
                        "% -S .z a",
                        "the suffix is what Hadoop and Spark choose the format by"),
                refused(
                        "`-N` stores name and time",
                        RAW,
                        "% -N a",
                        "the same content always gives the same bytes; the file's time is kept where files keep it"),
                refused(
                        "long options cut short (`--dec`)",
                        GZIP,
                        "% --dec a.gz",
                        "a new option would change what a script says"));
    }

    private static Habit kept(String what, String prepare, String command) {
        return new Habit(what, prepare, "", command, command, "", "");
    }

    private static Habit refused(String what, String prepare, String command, String because) {
        return new Habit(what, prepare, "", command, command, "", because);
    }

    private Habit typing(String words) {
        return new Habit(what, prepare, words, command, ours, shows, because);
    }

    private Habit with(String own) {
        return new Habit(what, prepare, typed, command, own, shows, because);
    }

    private Habit showing(String words) {
        return new Habit(what, prepare, typed, command, ours, words, because);
    }

    boolean isKept() {
        return because.isEmpty();
    }

    /** The command of gzip or of our tool. */
    String command(String tool) {
        return (tool.equals("gzip") ? command : ours).replace("%", tool);
    }

    /** The line of the table. */
    String row() {
        return "| " + what + " | " + cell("gzip") + " | " + cell("warpcodec") + " | "
                + (isKept() ? "kept" : "refused on purpose: " + because) + " |\n";
    }

    private String cell(String tool) {
        return "`" + command(tool).replace(STATUS_OF_PIPE, " | head -n 1").replace("|", "\\|") + "`";
    }
}
