/** The reading of a configuration file: sections, findings, suggestions. */
@NullMarked
package dev.sluice.controllers.configuration.file;

import org.jspecify.annotations.NullMarked;
