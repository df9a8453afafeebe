/** The plots of the documentation, drawn from measured figures. */
package io.warpcodec.docs.plots;
