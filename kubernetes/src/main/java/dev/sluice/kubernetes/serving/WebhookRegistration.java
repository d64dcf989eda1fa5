package dev.sluice.kubernetes.serving;

import dev.sluice.kubernetes.UncachedObjects;
import dev.sluice.model.ApiException;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.ObjectKey;
import dev.sluice.model.ResourceKind;
import dev.sluice.model.tree.Tree;
import dev.sluice.model.tree.Value.Null;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The registration of our webhooks with an API server: in a MutatingWebhookConfiguration, in a
 * ValidatingWebhookConfiguration, and in the definitions of the kinds that we convert.
 *
 * <p>Behind a Service there are replicas: without an answer the API server refuses the write, so
 * that nothing slips past the queues. For the cluster's own kinds, such as Jobs and Pods, that
 * holds neither in {@code kube-system} nor in the manager's namespace: a manager that is down must
 * not keep the cluster, or itself, from starting. By URL there is one process, which may be killed
 * before it takes back its registration: without its answer a write goes through, and the
 * controllers put right what they find.
 */
final class WebhookRegistration implements CalledServer.Registration {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final ResourceKind MUTATING_KIND =
      new ResourceKind(
          GROUP, "v1", "MutatingWebhookConfiguration", "mutatingwebhookconfigurations", false);
  private static final ResourceKind VALIDATING_KIND =
      new ResourceKind(
          GROUP, "v1", "ValidatingWebhookConfiguration", "validatingwebhookconfigurations", false);
  private static final int TIMEOUT_SECONDS = 10;

  /** A machine that is gone does not even refuse, and every write waits for that long. */
  private static final int TIMEOUT_SECONDS_BY_URL = 3;

  private static final Tree NOT_CONVERTED =
      Tree.of("spec", Tree.of("conversion", Tree.of("strategy", "None", "webhook", Null.NULL)));

  private final UncachedObjects objects;
  private final ObjectKey mutating;
  private final ObjectKey validating;
  private final WebhookAddress address;
  private final String namespace;
  private final List<HookedKind> kinds;
  private final List<String> converted;

  /**
   * @param name with which the names of the configurations begin
   * @param namespace where the manager lives
   * @param converted the names of the definitions whose objects we convert
   */
  WebhookRegistration(
      UncachedObjects objects,
      String name,
      WebhookAddress address,
      String namespace,
      List<HookedKind> kinds,
      List<String> converted) {
    this.objects = objects;
    this.mutating = MUTATING_KIND.key(name + "-mutating-webhook-configuration");
    this.validating = VALIDATING_KIND.key(name + "-validating-webhook-configuration");
    this.address = address;
    this.namespace = namespace;
    this.kinds = kinds;
    this.converted = converted;
  }

  @Override
  public void register(int port, String caBundle) {
    configure(mutating, mutating(port, caBundle));
    configure(validating, validating(port, caBundle));
    for (String definition : converted) {
      convert(Kinds.CUSTOM_RESOURCE_DEFINITION.key(definition), conversion(port, caBundle));
    }
  }

  @Override
  public void unregister(int port) {
    for (ObjectKey key : List.of(mutating, validating)) {
      objects.get(key).filter(found -> isOurs(found, port)).ifPresent(found -> remove(key, found));
    }
    String ours = address.clientConfig(WebhookPages.CONVERT, port).text("url");
    for (String definition : converted) {
      ObjectKey key = Kinds.CUSTOM_RESOURCE_DEFINITION.key(definition);
      boolean byUs =
          objects
              .get(key)
              .map(found -> found.spec().tree("conversion", "webhook", "clientConfig"))
              .filter(config -> config.text("url").equals(ours))
              .isPresent();
      if (byUs) {
        objects.merge(key, NOT_CONVERTED);
      }
    }
  }

  private boolean isOurs(ApiObject found, int port) {
    String base = address.clientConfig("/", port).text("url");
    return found.tree().trees("webhooks").stream()
        .anyMatch(webhook -> webhook.text("clientConfig", "url").startsWith(base));
  }

  /** An account that may not delete it, as that of the installation, empties it instead. */
  private void remove(ObjectKey key, ApiObject found) {
    try {
      objects.delete(key, found);
    } catch (ApiException refused) {
      switch (refused.failure().reason()) {
        case FORBIDDEN -> objects.update(key, found.without(List.of("webhooks")));
        case NOT_FOUND, CONFLICT -> {} // another writer has done it
        default -> throw refused;
      }
    }
  }

  private void configure(ObjectKey key, List<Tree> webhooks) {
    Optional<ApiObject> found = objects.get(key);
    ApiObject wanted =
        found
            .orElseGet(() -> ApiObject.of(key.kind(), "", key.name()))
            .with(List.of("webhooks"), webhooks);
    if (found.isEmpty()) {
      objects.create(key, wanted);
    } else if (!found.get().equals(wanted)) {
      objects.update(key, wanted);
    }
  }

  private void convert(ObjectKey key, Tree conversion) {
    Tree found = objects.get(key).map(ApiObject::spec).orElse(Tree.EMPTY).tree("conversion");
    if (!found.equals(conversion)) {
      objects.merge(key, Tree.of("spec", Tree.of("conversion", conversion)));
    }
  }

  private Tree conversion(int port, String caBundle) {
    Tree webhook =
        Tree.of(
            "clientConfig",
            client(WebhookPages.CONVERT, port, caBundle),
            "conversionReviewVersions",
            List.of("v1"));
    return Tree.of("strategy", "Webhook", "webhook", webhook);
  }

  private List<Tree> mutating(int port, String caBundle) {
    var webhooks = new ArrayList<Tree>();
    for (HookedKind kind : kinds) {
      if (!kind.mutatedAt().isEmpty()) {
        Tree client = client(WebhookPages.mutatePath(kind), port, caBundle);
        webhooks.add(
            webhook("m", kind, client, List.of(rule(kind, "", kind.mutatedAt())))
                .with("reinvocationPolicy", "Never"));
      }
    }
    return webhooks;
  }

  private List<Tree> validating(int port, String caBundle) {
    var webhooks = new ArrayList<Tree>();
    for (HookedKind kind : kinds) {
      var rules = new ArrayList<Tree>();
      if (!kind.checkedAt().isEmpty()) {
        rules.add(rule(kind, "", kind.checkedAt()));
      }
      if (kind.checksStatus()) {
        rules.add(rule(kind, "/status", List.of("UPDATE")));
      }
      if (!rules.isEmpty()) {
        Tree client = client(WebhookPages.validatePath(kind), port, caBundle);
        webhooks.add(webhook("v", kind, client, rules));
      }
    }
    return webhooks;
  }

  private Tree client(String path, int port, String caBundle) {
    Tree client = address.clientConfig(path, port);
    return caBundle.isEmpty()
        ? client
        : client.with("caBundle", CertificateKeeper.encoded(caBundle));
  }

  /** Every field is given, also where it has a default: what we read must equal what we wrote. */
  private Tree webhook(String letter, HookedKind kind, Tree client, List<Tree> rules) {
    String group = kind.kind().group();
    return Tree.of(
        "name",
        letter + kind.kind().kind().toLowerCase(Locale.ROOT) + ".sluice.dev",
        "admissionReviewVersions",
        List.of("v1"),
        "clientConfig",
        client,
        "failurePolicy",
        byUrl() ? "Ignore" : "Fail",
        "matchPolicy",
        "Equivalent",
        "namespaceSelector",
        group.equals(Kinds.WORKLOAD.group()) ? Tree.EMPTY : elsewhere(),
        "objectSelector",
        Tree.EMPTY,
        "rules",
        rules,
        "sideEffects",
        "None",
        "timeoutSeconds",
        byUrl() ? TIMEOUT_SECONDS_BY_URL : TIMEOUT_SECONDS);
  }

  private boolean byUrl() {
    return address instanceof WebhookAddress.Url;
  }

  private static Tree rule(HookedKind kind, String subresource, List<String> operations) {
    return Tree.of(
        "apiGroups",
        List.of(kind.kind().group()),
        "apiVersions",
        List.of(kind.kind().version()),
        "operations",
        operations,
        "resources",
        List.of(kind.kind().plural() + subresource),
        "scope",
        "*");
  }

  private Tree elsewhere() {
    return Tree.of(
        "matchExpressions",
        List.of(
            Tree.of(
                "key",
                "kubernetes.io/metadata.name",
                "operator",
                "NotIn",
                "values",
                List.of("kube-system", namespace))));
  }
}
