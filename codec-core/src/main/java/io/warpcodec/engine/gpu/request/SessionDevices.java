package io.warpcodec.engine.gpu.request;

import io.warpcodec.CodecOptions;
import io.warpcodec.Direction;
import io.warpcodec.Format;
import io.warpcodec.device.lease.DevicePool;
import io.warpcodec.engine.DecodeSession;
import io.warpcodec.engine.Engine;
import io.warpcodec.engine.gpu.choice.DeviceChoices;
import io.warpcodec.metrics.FallbackReason;
import io.warpcodec.metrics.Metrics;
import io.warpcodec.metrics.WorkMeter;

/**
 * What a session on devices works with.
 *
 * @param cpu opens the session
 * @param pool of the devices
 * @param choices decide in mode {@code auto}
 * @param meter counts what devices decode of the session's format
 */
public record SessionDevices(Engine cpu, DevicePool pool, DeviceChoices choices, WorkMeter meter) {
    /** A session that devices do not help; counted as {@code session}. */
    public DecodeSession openWithoutHelp(Format format, CodecOptions options, long offset) {
        Metrics.countFallback(Direction.DECODE, format, FallbackReason.SESSION);
        return cpu.openSession(format, options, offset);
    }
}
