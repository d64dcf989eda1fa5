/** Who may talk to the server: its certificates, its callers' names, and what they may do. */
@NullMarked
package dev.sluice.apiserver.security;

import org.jspecify.annotations.NullMarked;
