/**
 * How an output gets its name, so that a reader sees the old file, none, or all of the new one. {@code Publication}
 * draws the states, {@code SteppedReplacement} those between them where no rename takes another file's name in one
 * step.
 */
package io.warpcodec.cli.file.publish;
