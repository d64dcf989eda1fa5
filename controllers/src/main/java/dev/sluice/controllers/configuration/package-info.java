/**
 * The configuration of an installation: Kueue's Configuration file, and the mapping file of its
 * importer.
 */
@NullMarked
package dev.sluice.controllers.configuration;

import org.jspecify.annotations.NullMarked;
