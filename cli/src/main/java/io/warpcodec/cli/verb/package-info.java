/**
 * The verbs that work on files; each is one {@code ...Command}. They share {@code FileVerb} (one line per failure,
 * the worst exit code wins) and {@code TransferVerb} (which output belongs to which input, and when the input may
 * go).
 */
package io.warpcodec.cli.verb;
