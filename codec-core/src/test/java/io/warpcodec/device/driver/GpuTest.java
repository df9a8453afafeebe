package io.warpcodec.device.driver;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that need a device. Where there is none they are reported as skipped, with the reason; with
 * {@code -Dwarpcodec.gpu.required=true} they fail instead.
 */
@Tag("gpu")
@ExtendWith(GpuCondition.class)
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface GpuTest {}
