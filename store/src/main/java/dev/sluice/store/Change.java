package dev.sluice.store;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ObjectKey;
import java.util.Optional;

/**
 * One committed write.
 *
 * @param before the object until then, empty if it was created
 * @param after the object from then on, empty if it was deleted; its resourceVersion is {@code
 *     revision}
 */
public record Change(
    long revision, ObjectKey key, Optional<ApiObject> before, Optional<ApiObject> after) {}
