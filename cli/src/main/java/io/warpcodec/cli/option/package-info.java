/**
 * Options that several verbs have, and what they stand for. How much is said is an option too, but lies with what
 * says it.
 */
package io.warpcodec.cli.option;
