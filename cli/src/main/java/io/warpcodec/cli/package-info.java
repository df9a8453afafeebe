/**
 * The command line tool. {@link io.warpcodec.cli.Main} starts it; each verb is one {@code ...Command}; the verbs that work on files share
 * {@code FileVerb} (one line per failure, the worst exit code wins) and {@code TransferVerb} (which output belongs to which input, and when
 * the input may go).
 *
 * <p>Packages: {@code file} is where bytes come from and go to, {@code bench} and {@code doctor} are the verbs of these names. What the verb
 * {@code demo} runs lies in a module of its own. To start quickly on local files, nothing outside {@code doctor} and {@code file}'s remote
 * location touches Hadoop.
 */
package io.warpcodec.cli;
