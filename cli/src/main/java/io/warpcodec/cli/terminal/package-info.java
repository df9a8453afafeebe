/**
 * What the tool says to the person that called it: results, progress, failures in one line each, and the exit code.
 * Verbs reach the standard streams through {@code Terminal}.
 */
package io.warpcodec.cli.terminal;
