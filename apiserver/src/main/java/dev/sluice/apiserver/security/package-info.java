/** Certificates, authentication and authorization of the API server. */
@NullMarked
package dev.sluice.apiserver.security;

import org.jspecify.annotations.NullMarked;
