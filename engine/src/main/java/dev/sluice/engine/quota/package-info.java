/** The quota tree: how much every queue and cohort has, uses, lends and may take. */
@NullMarked
package dev.sluice.engine.quota;

import org.jspecify.annotations.NullMarked;
