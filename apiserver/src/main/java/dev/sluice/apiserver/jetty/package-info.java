/** The setup that all HTTP servers share: Jetty, its threads and its TLS. */
@NullMarked
package dev.sluice.apiserver.jetty;

import org.jspecify.annotations.NullMarked;
