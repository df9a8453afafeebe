/** The verb {@code serve}. */
package io.warpcodec.cli.serve;
