package dev.sluice.apiserver.registry.kind;

import static dev.sluice.model.Kinds.CONFIG_MAP;
import static dev.sluice.model.Kinds.CRON_JOB;
import static dev.sluice.model.Kinds.CUSTOM_RESOURCE_DEFINITION;
import static dev.sluice.model.Kinds.EVENT;
import static dev.sluice.model.Kinds.GROUPED_EVENT;
import static dev.sluice.model.Kinds.JOB;
import static dev.sluice.model.Kinds.LEASE;
import static dev.sluice.model.Kinds.LIMIT_RANGE;
import static dev.sluice.model.Kinds.NAMESPACE;
import static dev.sluice.model.Kinds.NODE;
import static dev.sluice.model.Kinds.PERSISTENT_VOLUME;
import static dev.sluice.model.Kinds.PERSISTENT_VOLUME_CLAIM;
import static dev.sluice.model.Kinds.POD;
import static dev.sluice.model.Kinds.POD_DISRUPTION_BUDGET;
import static dev.sluice.model.Kinds.PRIORITY_CLASS;
import static dev.sluice.model.Kinds.RESOURCE_QUOTA;
import static dev.sluice.model.Kinds.RUNTIME_CLASS;
import static dev.sluice.model.Kinds.SECRET;
import static dev.sluice.model.Kinds.SERVICE;
import static dev.sluice.model.Kinds.SERVICE_ACCOUNT;
import static dev.sluice.model.Kinds.STORAGE_CLASS;

import dev.sluice.apiserver.protobuf.BuiltInSchemas;
import dev.sluice.apiserver.registry.kind.ServedKind.Subresource;
import dev.sluice.apiserver.registry.rules.KindRules;
import dev.sluice.apiserver.registry.rules.batch.CronJobRules;
import dev.sluice.apiserver.registry.rules.batch.JobRules;
import dev.sluice.apiserver.registry.rules.core.ConfigurationRules;
import dev.sluice.apiserver.registry.rules.core.DisruptionBudgetRules;
import dev.sluice.apiserver.registry.rules.core.EventRules;
import dev.sluice.apiserver.registry.rules.core.GroupedEventRules;
import dev.sluice.apiserver.registry.rules.core.LeaseRules;
import dev.sluice.apiserver.registry.rules.core.LimitRangeRules;
import dev.sluice.apiserver.registry.rules.core.NamespaceRules;
import dev.sluice.apiserver.registry.rules.core.NodeRules;
import dev.sluice.apiserver.registry.rules.core.PriorityClassRules;
import dev.sluice.apiserver.registry.rules.core.ResourceQuotaRules;
import dev.sluice.apiserver.registry.rules.core.RuntimeClassRules;
import dev.sluice.apiserver.registry.rules.network.ServiceRules;
import dev.sluice.apiserver.registry.rules.pod.PodRules;
import dev.sluice.apiserver.registry.rules.storage.StorageClassRules;
import dev.sluice.apiserver.registry.rules.storage.VolumeClaimRules;
import dev.sluice.apiserver.registry.rules.storage.VolumeRules;
import dev.sluice.model.Kinds;
import dev.sluice.model.ResourceKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The built-in kinds, one line each: short names, categories, verbs, subresources, rules. */
public final class BuiltInKinds {
  static final List<String> VERBS =
      List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
  private static final List<String> ONE_BY_ONE =
      VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList();
  private static final Versions VERSIONS = new Versions(List.of(new EventConverter()));
  private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

  private BuiltInKinds() {}

  /** The kinds in the order of discovery; the rules of CRDs need to know the others. */
  public static List<RuledKind> builtIn(KindRules definitions) {
    return List.of(
        line(CONFIG_MAP, "cm", "", VERBS, "", Traits.PLAIN, ConfigurationRules.configMap()),
        line(EVENT, "ev", "", VERBS, "", Traits.EVENT, EventRules.core()),
        line(LIMIT_RANGE, "limits", "", VERBS, "", Traits.CREATED_BY_UPDATE, new LimitRangeRules()),
        line(
            NAMESPACE, "ns", "", ONE_BY_ONE, "finalize status", Traits.PLAIN, new NamespaceRules()),
        line(NODE, "no", "", VERBS, "status", Traits.NODE, new NodeRules()),
        line(
            PERSISTENT_VOLUME_CLAIM,
            "pvc",
            "",
            VERBS,
            "status",
            Traits.PLAIN,
            new VolumeClaimRules()),
        line(PERSISTENT_VOLUME, "pv", "", VERBS, "status", Traits.PLAIN, new VolumeRules()),
        line(
            POD,
            "po",
            "all",
            VERBS,
            "attach binding eviction exec log portforward status",
            Traits.COUNTED,
            new PodRules()),
        line(RESOURCE_QUOTA, "quota", "", VERBS, "status", Traits.PLAIN, new ResourceQuotaRules()),
        line(SECRET, "", "", VERBS, "", Traits.PLAIN, ConfigurationRules.secret()),
        line(SERVICE, "svc", "all", VERBS, "status", Traits.CREATED_BY_UPDATE, new ServiceRules()),
        line(SERVICE_ACCOUNT, "sa", "", VERBS, "", Traits.PLAIN, KindRules.NONE),
        line(GROUPED_EVENT, "ev", "", VERBS, "", Traits.EVENT, new GroupedEventRules()),
        line(CRON_JOB, "cj", "all", VERBS, "status", Traits.COUNTED, new CronJobRules()),
        line(JOB, "", "all", VERBS, "status", Traits.JOB, new JobRules()),
        line(
            POD_DISRUPTION_BUDGET,
            "pdb",
            "",
            VERBS,
            "status",
            Traits.COUNTED,
            new DisruptionBudgetRules()),
        line(STORAGE_CLASS, "sc", "", VERBS, "", Traits.PLAIN, new StorageClassRules()),
        line(LEASE, "", "", VERBS, "", Traits.LEASE, new LeaseRules()),
        line(RUNTIME_CLASS, "", "", VERBS, "", Traits.LEASE, new RuntimeClassRules()),
        line(PRIORITY_CLASS, "pc", "", VERBS, "", Traits.COUNTED, new PriorityClassRules()),
        line(
            CUSTOM_RESOURCE_DEFINITION,
            "crd crds",
            "api-extensions",
            VERBS,
            "status",
            Traits.CUSTOM,
            definitions));
  }

  private static RuledKind line(
      ResourceKind kind,
      String shortNames,
      String categories,
      List<String> verbs,
      String subresources,
      Traits traits,
      KindRules rules) {
    var served =
        new ServedKind(
            kind,
            kind.kind().toLowerCase(Locale.ROOT),
            words(shortNames),
            words(categories),
            verbs,
            words(subresources).stream().map(name -> subresource(kind, name)).toList(),
            true,
            BuiltInSchemas.find(kind.apiVersion(), kind.kind()).orElseThrow(),
            List.of());
    return new RuledKind(served, traits, rules, SchemaCheck.NONE, VERSIONS, Optional.empty());
  }

  private static List<String> words(String text) {
    return Stream.of(text.split(" ", -1)).filter(word -> !word.isEmpty()).toList();
  }

  private static Subresource subresource(ResourceKind kind, String name) {
    return switch (name) {
      case "binding" -> new Subresource(name, Kinds.BINDING, List.of("create"));
      case "attach" -> session(name, "PodAttachOptions");
      case "exec" -> session(name, "PodExecOptions");
      case "portforward" -> session(name, "PodPortForwardOptions");
      case "log" -> new Subresource(name, kind, List.of("get"));
      case "eviction" -> new Subresource(name, Kinds.EVICTION, List.of("create"));
      case "finalize" -> new Subresource(name, kind, List.of("update"));
      default -> status(kind);
    };
  }

  private static Subresource session(String name, String options) {
    return new Subresource(
        name, new ResourceKind("", "v1", options, "", true), List.of("create", "get"));
  }

  static Subresource scale() {
    return new Subresource(Scaling.SUBRESOURCE, Kinds.SCALE, SUBRESOURCE_VERBS);
  }

  static Subresource status(ResourceKind kind) {
    return new Subresource("status", kind, SUBRESOURCE_VERBS);
  }
}
