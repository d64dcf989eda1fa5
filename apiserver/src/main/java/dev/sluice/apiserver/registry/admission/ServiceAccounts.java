package dev.sluice.apiserver.registry.admission;

import dev.sluice.model.ApiFailure;
import dev.sluice.model.ApiObject;
import dev.sluice.model.Kinds;
import dev.sluice.model.core.pod.PodSpec;
import dev.sluice.model.tree.Items;
import dev.sluice.model.tree.Tree;
import dev.sluice.store.Snapshot;
import java.util.List;
import java.util.Optional;

/**
 * The plugin ServiceAccount: new pods without an account get the default one of their namespace,
 * and pods without image pull secrets get those of their account. No tokens are issued, so no
 * volume is added for one.
 */
final class ServiceAccounts {
  /** The account of every namespace, which is created shortly after it. */
  private static final String USUAL = "default";

  private static final String IMAGE_SECRETS = "imagePullSecrets";

  private ServiceAccounts() {}

  /** A new pod with its account. */
  static ApiObject admitPod(ApiObject pod, Snapshot now) {
    String asked = new PodSpec(pod.spec()).serviceAccountName();
    String name = asked.isEmpty() ? USUAL : asked;
    Optional<ApiObject> account = now.get(Kinds.SERVICE_ACCOUNT.key(pod.namespace(), name));
    if (account.isEmpty() && !name.equals(USUAL)) {
      throw ApiFailure.forbidden(
          pod.key(Kinds.POD),
          "error looking up service account %s/%s: serviceaccount \"%s\" not found"
              .formatted(pod.namespace(), name, name));
    }
    Tree spec = pod.spec().with("serviceAccountName", name);
    List<Tree> secrets = account.map(found -> found.tree().trees(IMAGE_SECRETS)).orElse(List.of());
    boolean brings = spec.items(IMAGE_SECRETS).isEmpty() && !secrets.isEmpty();
    return pod.withSpec(brings ? spec.with(IMAGE_SECRETS, Items.of(secrets)) : spec);
  }
}
