package io.warpcodec.doctor;

import java.io.Serializable;

/**
 * One line that says what will happen.
 *
 * @param holds whether the engine that was asked for will work
 * @param line what will happen, and why
 */
public record Verdict(boolean holds, String line) implements Serializable {}
