/**
 * Go's text templates over JSON, as far as KWOK's stages use them: pipelines, conditions, loops,
 * variables, named templates, Go's own functions and the common ones of sprig.
 */
@NullMarked
package dev.sluice.controllers.nodes.template;

import org.jspecify.annotations.NullMarked;
