/** The quota requests of pod templates, and the validation of their resources. */
@NullMarked
package dev.sluice.engine.requests;

import org.jspecify.annotations.NullMarked;
