/** The heads that an admission cycle need not try, because an index already has the answer. */
@NullMarked
package dev.sluice.engine.admission.precheck;

import org.jspecify.annotations.NullMarked;
