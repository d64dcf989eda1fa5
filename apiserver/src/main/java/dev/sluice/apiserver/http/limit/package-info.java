/** The limits on requests that are served at the same time. */
@NullMarked
package dev.sluice.apiserver.http.limit;

import org.jspecify.annotations.NullMarked;
