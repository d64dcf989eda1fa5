/** Which controllers there are, and what those of every concern share. */
@NullMarked
package dev.sluice.controllers;

import org.jspecify.annotations.NullMarked;
