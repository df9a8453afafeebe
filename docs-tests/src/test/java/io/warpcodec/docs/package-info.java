/** Tests of the documentation: commands are run, links followed, names looked up. */
package io.warpcodec.docs;
