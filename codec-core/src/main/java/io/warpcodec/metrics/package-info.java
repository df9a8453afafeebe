/**
 * What the codecs of a JVM did: counters that only grow ({@code Metrics}), one bean that shows them, and the reasons
 * why work was not done where it was preferred ({@code FallbackReason}). A reason's word is part of a counter's name
 * and never changes. Nothing here knows an engine or a format.
 */
package io.warpcodec.metrics;
