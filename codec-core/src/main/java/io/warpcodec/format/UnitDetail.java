package io.warpcodec.format;

/**
 * What a format's scanner knows of a unit besides its extent, for the scanner itself or for the format's decoders.
 * Immutable.
 */
public interface UnitDetail {}
