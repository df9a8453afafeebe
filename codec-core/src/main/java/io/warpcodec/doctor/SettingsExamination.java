package io.warpcodec.doctor;

import io.warpcodec.CodecOptions;
import io.warpcodec.Format;
import io.warpcodec.SettingWords;
import io.warpcodec.Settings;
import java.util.Map;

/** Whether settings that a host has can be read, and whether each of them is one. */
public final class SettingsExamination {
    private static final String PAGE = "docs/user/settings.md lists the settings and their values";

    private SettingsExamination() {}

    /**
     * Adds a problem for each word that is no setting, and for a value that cannot be read.
     *
     * @param prefix in front of the words in the host's keys
     * @param words what follows it, with the values
     */
    public static void examine(NodeReport report, String prefix, Map<String, String> words) {
        SettingWords.complaints(prefix, words.keySet()).forEach(complaint -> report.problem(complaint, PAGE));
        try {
            for (Format format : Format.values()) {
                Settings.options(format, words::get, CodecOptions.DEFAULTS);
            }
            Settings.pool(words::get);
        } catch (IllegalArgumentException bad) {
            report.problem(prefix + "*: " + bad.getMessage(), PAGE);
        }
    }
}
