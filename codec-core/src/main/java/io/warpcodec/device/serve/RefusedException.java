package io.warpcodec.device.serve;

import io.warpcodec.device.node.Refusal;
import java.net.ProtocolException;

/** A client is not served any more, for a reason that is not just a wrong message. */
final class RefusedException extends ProtocolException {
    private static final long serialVersionUID = 1;

    private final Refusal refusal;

    RefusedException(Refusal refusal, String why) {
        super(why);
        this.refusal = refusal;
    }

    /** Why a client is refused that has caused this. */
    static Refusal of(Exception caught) {
        return caught instanceof RefusedException refused ? refused.refusal : Refusal.PROTOCOL;
    }
}
