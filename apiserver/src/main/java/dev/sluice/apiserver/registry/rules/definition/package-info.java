/** The rules of CustomResourceDefinitions and of the kinds they define. */
@NullMarked
package dev.sluice.apiserver.registry.rules.definition;

import org.jspecify.annotations.NullMarked;
