/** What sessions of zstd frames and what helps them tell each other. */
package io.warpcodec.engine.zstd;
