/**
 * The contracts of scheduler plugins: filters, scores, permits, and the profiles that combine them.
 */
@NullMarked
package dev.sluice.engine.scheduling.framework;

import org.jspecify.annotations.NullMarked;
