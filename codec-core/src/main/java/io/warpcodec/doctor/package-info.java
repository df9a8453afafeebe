/**
 * What {@code doctor} looks at on one node, whichever program asks: the tool, {@code io.warpcodec.Doctor} on a
 * cluster. It stands above all other rooms, as the composition root does, and nothing depends on it. A failure of
 * what it looks at is a finding, never an exception.
 */
package io.warpcodec.doctor;
