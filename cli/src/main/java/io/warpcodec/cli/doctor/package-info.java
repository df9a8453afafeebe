/**
 * What {@code warpcodec doctor} looks at besides what {@code io.warpcodec.doctor} does: costs, and the settings of
 * Hadoop and Spark that this machine has.
 */
package io.warpcodec.cli.doctor;
