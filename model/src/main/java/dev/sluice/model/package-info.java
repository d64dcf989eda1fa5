/** The types that all modules share: API objects, their kinds and keys, amounts, and failures. */
@NullMarked
package dev.sluice.model;

import org.jspecify.annotations.NullMarked;
