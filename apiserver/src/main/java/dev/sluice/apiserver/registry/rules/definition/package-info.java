/** The rules of CustomResourceDefinitions, and those that definitions bring. */
@NullMarked
package dev.sluice.apiserver.registry.rules.definition;

import org.jspecify.annotations.NullMarked;
