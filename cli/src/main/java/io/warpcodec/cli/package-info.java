/**
 * The command line tool. {@link io.warpcodec.cli.Main} starts it, {@code Verbs} knows the verbs, and {@code Shorthand} finds the verb of a call in gzip's
 * manner. Here are also the verbs about the tool itself: {@code classpath}, {@code completion} and {@code demo}, whose jobs lie in a module of their own.
 *
 * <p>Packages: {@code verb} holds the verbs that work on files, {@code bench}, {@code serve} and {@code doctor} are the verbs of these names; {@code option} is what they
 * share of the command line, {@code input} what they find out about a file, {@code terminal} what they say, {@code file} where bytes come from and go to.
 * Imports lead downwards in this order. To start quickly on local files, nothing outside {@code doctor} and {@code file}'s remote location touches Hadoop.
 */
package io.warpcodec.cli;
