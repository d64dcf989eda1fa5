/** Which objects a list or a watch is about. */
@NullMarked
package dev.sluice.apiserver.http.selector;

import org.jspecify.annotations.NullMarked;
