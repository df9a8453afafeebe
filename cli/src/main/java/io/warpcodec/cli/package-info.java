/**
 * The command line tool. {@link io.warpcodec.cli.Main} starts it, {@code Verbs} knows the verbs, and
 * {@code Shorthand} finds the verb of a call in gzip's manner. Here are also the verbs about the tool itself:
 * {@code classpath}, {@code completion} and {@code demo}, whose jobs lie in a module of their own.
 *
 * <p>Packages, in the order in which imports lead downwards:
 *
 * <ul>
 *   <li>{@code verb} holds the verbs that work on files; {@code bench}, {@code serve} and {@code doctor} are the verbs
 *       of these names.
 *   <li>{@code option} is the part of the command line that verbs share.
 *   <li>{@code input} is what verbs find out about a file.
 *   <li>{@code terminal} is what verbs say.
 *   <li>{@code file} is where bytes come from and go to.
 * </ul>
 *
 * <p>To start quickly on local files, nothing outside {@code doctor} and {@code file}'s remote location touches Hadoop.
 */
package io.warpcodec.cli;
