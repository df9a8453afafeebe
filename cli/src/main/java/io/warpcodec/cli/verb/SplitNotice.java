package io.warpcodec.cli.verb;

import io.warpcodec.cli.terminal.SpeechOption;

/** Says, once a call, what files that split now mean for Hive (HIVE-25765). */
public final class SplitNotice {
    /** The line, without the tool's name in front. */
    public static final String TEXT =
            "These files split now. Hive tables with header or footer lines lose rows when files"
                    + " split: see docs/user/hive.md.";

    private boolean given;

    /** A file splits from now on that did not before. */
    void give(SpeechOption speech) {
        if (!given) {
            given = true;
            speech.note(TEXT);
        }
    }
}
