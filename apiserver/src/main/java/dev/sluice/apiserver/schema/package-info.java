/** What objects of a kind look like: pruning, defaulting and validating by schema. */
@NullMarked
package dev.sluice.apiserver.schema;

import org.jspecify.annotations.NullMarked;
