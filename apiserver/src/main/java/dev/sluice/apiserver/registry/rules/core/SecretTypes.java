package dev.sluice.apiserver.registry.rules.core;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ValidationErrors;
import dev.sluice.model.tree.Json;
import dev.sluice.model.tree.MalformedText;
import dev.sluice.model.tree.Tree;
import java.util.Base64;
import java.util.List;

/** The data that a Secret must have because of its type; other types are free. */
final class SecretTypes {
  private static final String ACCOUNT = "kubernetes.io/service-account.name";

  private SecretTypes() {}

  static void check(ApiObject secret, ValidationErrors problems) {
    Tree data = secret.tree().tree("data");
    switch (secret.tree().text("type")) {
      case "kubernetes.io/service-account-token" -> {
        if (secret.annotation(ACCOUNT).isEmpty()) {
          problems.required("metadata.annotations[" + ACCOUNT + "]", "");
        }
      }
      case "kubernetes.io/dockercfg" -> checkJson(".dockercfg", data, problems);
      case "kubernetes.io/dockerconfigjson" -> checkJson(".dockerconfigjson", data, problems);
      case "kubernetes.io/basic-auth" -> {
        if (!data.has("username") && !data.has("password")) {
          require(List.of("username", "password"), data, problems);
        }
      }
      case "kubernetes.io/ssh-auth" -> {
        if (data.text("ssh-privatekey").isEmpty()) {
          problems.required(field("ssh-privatekey"), "");
        }
      }
      case "kubernetes.io/tls" -> require(List.of("tls.crt", "tls.key"), data, problems);
      default -> {}
    }
  }

  private static void require(List<String> keys, Tree data, ValidationErrors problems) {
    for (String key : keys) {
      if (!data.has(key)) {
        problems.required(field(key), "");
      }
    }
  }

  private static void checkJson(String key, Tree data, ValidationErrors problems) {
    if (!data.has(key)) {
      problems.required(field(key), "");
      return;
    }
    try {
      Json.parse(Base64.getDecoder().decode(data.text(key)));
    } catch (MalformedText | IllegalArgumentException malformed) {
      // The error of the parser could quote the secret.
      problems.invalid(field(key), "<secret contents redacted>", "must be JSON");
    }
  }

  private static String field(String key) {
    return "data[" + key + "]";
  }
}
