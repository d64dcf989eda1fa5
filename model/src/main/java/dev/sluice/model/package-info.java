/** What every room speaks of: API objects, their kinds and keys, amounts, and failures. */
@NullMarked
package dev.sluice.model;

import org.jspecify.annotations.NullMarked;
