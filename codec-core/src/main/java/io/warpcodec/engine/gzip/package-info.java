/**
 * What only gzip asks of engines: sessions that begin at a seek point, the scan that finds such points, and the
 * decoder of segments that helps with both.
 */
package io.warpcodec.engine.gzip;
