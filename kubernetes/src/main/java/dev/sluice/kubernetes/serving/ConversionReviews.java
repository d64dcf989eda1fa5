package dev.sluice.kubernetes.serving;

import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Answers the ConversionReviews that an API server sends when a client uses another version than
 * the stored one.
 *
 * @param converter makes an object one of the apiVersion; refuses with an {@link ApiException}
 */
record ConversionReviews(BiFunction<ApiObject, String, ApiObject> converter) {

  /** Converts all objects, or none if one of them cannot be. */
  Tree convert(Tree review) {
    Tree request = review.tree("request");
    Tree response = Tree.of("uid", request.text("uid"));
    try {
      Items converted = converted(request.trees("objects"), request.text("desiredAPIVersion"));
      response =
          response.with("result", Tree.of("status", "Success")).with("convertedObjects", converted);
    } catch (ApiException refused) {
      response = response.with("result", refused.failure().status());
    }
    return Tree.of(
        "apiVersion", "apiextensions.k8s.io/v1", "kind", "ConversionReview", "response", response);
  }

  private Items converted(List<Tree> objects, String version) {
    var converted = new ArrayList<Value>(objects.size());
    for (Tree object : objects) {
      converted.add(converter.apply(new ApiObject(object), version).tree());
    }
    return new Items(converted);
  }
}
