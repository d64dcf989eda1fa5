/** Kueue's Configuration file: what an administrator decides for the whole installation. */
@NullMarked
package dev.sluice.controllers.configuration;

import org.jspecify.annotations.NullMarked;
