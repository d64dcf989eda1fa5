/** What is particular to each kind: its defaults, what the server sets, and what it refuses. */
@NullMarked
package dev.sluice.apiserver.registry.rules;

import org.jspecify.annotations.NullMarked;
