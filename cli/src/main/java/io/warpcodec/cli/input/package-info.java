/** What verbs find out about an input: its format, by its first bytes or its name, and the index beside it. */
package io.warpcodec.cli.input;
