/** The immutable tree behind every API object, and its JSON and YAML forms. */
@NullMarked
package dev.sluice.model.tree;

import org.jspecify.annotations.NullMarked;
