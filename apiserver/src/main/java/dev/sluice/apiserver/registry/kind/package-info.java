/** The kinds that are served, their versions, and the conversion between these. */
@NullMarked
package dev.sluice.apiserver.registry.kind;

import org.jspecify.annotations.NullMarked;
