/** What the server says of itself: the kinds it serves and what they look like. */
@NullMarked
package dev.sluice.apiserver.http.discovery;

import org.jspecify.annotations.NullMarked;
