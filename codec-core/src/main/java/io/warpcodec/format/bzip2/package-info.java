/**
 * The bzip2 format: its constants, blocks found by their magics, streams checked, splits, and blocks laid bit to bit.
 */
package io.warpcodec.format.bzip2;
