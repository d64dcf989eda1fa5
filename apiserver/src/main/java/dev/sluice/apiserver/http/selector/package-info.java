/** Label and field selectors of lists and watches. */
@NullMarked
package dev.sluice.apiserver.http.selector;

import org.jspecify.annotations.NullMarked;
