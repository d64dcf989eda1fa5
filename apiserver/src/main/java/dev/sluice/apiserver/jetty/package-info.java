/** How all servers of ours are set up, whatever they serve: Jetty, its threads and its TLS. */
@NullMarked
package dev.sluice.apiserver.jetty;

import org.jspecify.annotations.NullMarked;
