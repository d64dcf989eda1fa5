package dev.sluice.testkit;

import dev.sluice.model.ApiObject;
import dev.sluice.model.tree.Yaml;

/** Objects as tests write them. */
final class Given {
  private Given() {}

  static ApiObject object(String yaml) {
    return ApiObject.of(Yaml.parseAll(yaml).getFirst());
  }
}
