/** The time that a request may take. */
@NullMarked
package dev.sluice.apiserver.deadline;

import org.jspecify.annotations.NullMarked;
