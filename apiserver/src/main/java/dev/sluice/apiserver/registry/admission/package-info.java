/** The built-in admission plugins. */
@NullMarked
package dev.sluice.apiserver.registry.admission;

import org.jspecify.annotations.NullMarked;
