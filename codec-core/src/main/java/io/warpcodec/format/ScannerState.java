package io.warpcodec.format;

/**
 * What a scanner has to know to go on at a place in a stream. Each format has its own; only the scanner that gave it,
 * or one of the same format, takes it back. Immutable.
 */
public interface ScannerState {}
