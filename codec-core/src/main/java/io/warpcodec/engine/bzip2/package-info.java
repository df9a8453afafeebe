/** What engines share to decode bzip2: blocks that are held as text, and expanded as they are read. */
package io.warpcodec.engine.bzip2;
