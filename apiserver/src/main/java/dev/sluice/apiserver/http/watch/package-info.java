/** Watches over HTTP, with bounded buffers. */
@NullMarked
package dev.sluice.apiserver.http.watch;

import org.jspecify.annotations.NullMarked;
