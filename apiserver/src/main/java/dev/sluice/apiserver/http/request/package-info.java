/** One request and its response: path, query, options, negotiation and encoding. */
@NullMarked
package dev.sluice.apiserver.http.request;

import org.jspecify.annotations.NullMarked;
