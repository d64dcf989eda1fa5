package dev.sluice.apiserver.registry.rules.core;

import static dev.sluice.apiserver.registry.rules.Edits.orElse;

import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.model.ApiObject;
import dev.sluice.model.NameSyntax;
import dev.sluice.model.SemanticEquality;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Tree;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The rules of ConfigMaps and Secrets, which can be immutable. */
public final class ConfigurationRules implements KindRules {
  private static final int MAX_BYTES = 1024 * 1024;

  private final boolean secret;

  private ConfigurationRules(boolean secret) {
    this.secret = secret;
  }

  public static KindRules configMap() {
    return new ConfigurationRules(false);
  }

  public static KindRules secret() {
    return new ConfigurationRules(true);
  }

  /** Moves a Secret's {@code stringData} to its encoded data, which it overrides. */
  @Override
  public ApiObject withDefaults(ApiObject object) {
    if (!secret) {
      return object;
    }
    Tree tree = orElse(object.tree(), "type", "Opaque");
    Tree data = tree.tree("data");
    for (var entry : tree.texts("stringData").entrySet()) {
      byte[] text = entry.getValue().getBytes(StandardCharsets.UTF_8);
      data = data.with(entry.getKey(), Base64.getEncoder().encodeToString(text));
    }
    tree = tree.without("stringData");
    return new ApiObject(data.isEmpty() ? tree : tree.with("data", data));
  }

  @Override
  public void check(ApiObject object, ValidationErrors problems) {
    Tree data = object.tree().tree("data");
    Tree binary = object.tree().tree("binaryData");
    long bytes = checkEntries("data", data, problems);
    bytes += checkEntries("binaryData", binary, problems);
    for (String key : binary.names()) {
      if (data.has(key)) {
        problems.invalid("data[" + key + "]", key, "duplicate of key present in binaryData");
      }
    }
    problems.atMostBytes("data", bytes, MAX_BYTES);
    if (secret) {
      SecretTypes.check(object, problems);
    }
  }

  private static long checkEntries(String field, Tree data, ValidationErrors problems) {
    long bytes = 0;
    for (String key : data.names()) {
      problems.invalidIf(NameSyntax.configKeyProblem(key), field + "[" + key + "]", key);
      bytes += data.text(key).length();
    }
    return bytes;
  }

  @Override
  public void checkUpdate(ApiObject before, ApiObject after, ValidationErrors problems) {
    if (secret) {
      problems.immutable("type", before.tree().text("type"), after.tree().text("type"));
    }
    if (!before.tree().flag("immutable")) {
      return;
    }
    if (!after.tree().flag("immutable")) {
      problems.forbidden("immutable", "field is immutable when `immutable` is set");
    }
    for (String field : List.of("data", "binaryData")) {
      if (!SemanticEquality.holds(before.tree().at(field), after.tree().at(field))) {
        problems.forbidden(field, "field is immutable when `immutable` is set");
      }
    }
  }
}
