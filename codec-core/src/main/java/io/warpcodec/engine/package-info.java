/**
 * The contract between streams and what does their work.
 *
 * <h2>The contract</h2>
 *
 * <p>An {@code Engine} takes a {@code Batch} of independent {@code Chunk}s, or opens a {@code DecodeSession} for a unit
 * without a known end. Memory goes from hand to hand as {@code Lease}s:
 *
 * <ol>
 *   <li>A lease that a call returns belongs to the caller, who releases it once.
 *   <li>Whoever submits a chunk holds its lease until the batch is closed: an engine may work from it until then.
 *   <li>The leases of a result belong to the caller that takes it.
 *   <li>A further holder calls {@code retain}, and releases what it retained.
 *   <li>No byte of a lease may be read behind its last release: its memory is another stream's by then.
 * </ol>
 *
 * <h2>Rooms</h2>
 *
 * <p>{@code cpu} and {@code gpu} are the two engines, {@code choice} says which one does a batch; {@code gzip} and
 * {@code bzip2} hold what both share for one format.
 */
package io.warpcodec.engine;
