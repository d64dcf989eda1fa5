/** The rules of each kind: defaults, fields that the server sets, and validation. */
@NullMarked
package dev.sluice.apiserver.registry.rules;

import org.jspecify.annotations.NullMarked;
