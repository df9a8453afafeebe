/** What {@code warpcodec doctor} looks at. The class that asks Hadoop is apart, so that the rest works without Hadoop on the class path. */
package io.warpcodec.cli.doctor;
