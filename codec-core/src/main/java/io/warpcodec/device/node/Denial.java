package io.warpcodec.device.node;

import java.util.Locale;

/** Why a service has no segment for a client that it serves. Dashboards name the words. */
public enum Denial {
    /** The client has all that one client may have. */
    CLIENT_FULL,
    /** The clients of its user have all that one user may have. */
    USER_FULL,
    /** All memory is lent, or none can be locked. */
    MEMORY_FULL;

    /** Lower case, with hyphens; it does not change. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
