/** The served kinds, their versions, and the conversion between versions. */
@NullMarked
package dev.sluice.apiserver.registry.kind;

import org.jspecify.annotations.NullMarked;
