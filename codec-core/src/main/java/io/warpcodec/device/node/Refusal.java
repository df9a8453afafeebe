package io.warpcodec.device.node;

import java.util.Locale;

/** Why a service does not serve a client, or no longer. Dashboards name the words. */
public enum Refusal {
    /** It connected and did not say hello in time. */
    NO_HELLO,
    /** It speaks another version. */
    VERSION,
    /** It said what cannot be right. */
    PROTOCOL,
    /** There are too many, of all users or of its own. */
    TOO_MANY_CLIENTS,
    /** It does not read what it is told. */
    NOT_READING,
    /** It made the files of its memory larger. */
    MEMORY_LARGER,
    /** It asked how the service stands, which root and the service's own user are told. */
    NO_REPORT,
    /** The service is about to end. */
    ENDING,
    /** Memory could not be handed to it. */
    NO_HANDOVER,
    /** A defect of this software. */
    DEFECT;

    /** Lower case, with hyphens; it does not change. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
