/** Discovery and OpenAPI: the kinds that the server serves, and their schemas. */
@NullMarked
package dev.sluice.apiserver.http.discovery;

import org.jspecify.annotations.NullMarked;
