/** The rules of the other kinds of the core API groups. */
@NullMarked
package dev.sluice.apiserver.registry.rules.core;

import org.jspecify.annotations.NullMarked;
