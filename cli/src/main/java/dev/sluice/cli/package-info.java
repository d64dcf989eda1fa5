/** The sluice command: it reads the command line, assembles the rooms, and has no logic. */
@NullMarked
package dev.sluice.cli;

import org.jspecify.annotations.NullMarked;
