package dev.sluice.apiserver.protobuf;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The differences between the JSON of Kubernetes and the Protobuf messages. */
final class JsonShape {

  /** Messages that are not written as objects in JSON. */
  enum Special {
    QUANTITY,
    TIME,
    MICRO_TIME,
    DURATION,
    INT_OR_STRING,
    /** Bytes that hold JSON. */
    RAW,
    /** A list of strings in a message of its own. */
    STRINGS,
    SCHEMA_OR_ARRAY,
    SCHEMA_OR_BOOL,
    SCHEMA_OR_STRINGS
  }

  private static final String META = "k8s.io.apimachinery.pkg.apis.meta.v1.";
  private static final String EXTENSIONS =
      "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.";
  private static final String JSON_SCHEMA = EXTENSIONS + "JSONSchemaProps";

  private static final SortedMap<String, Special> SPECIAL =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("k8s.io.apimachinery.pkg.api.resource.Quantity", Special.QUANTITY),
              Map.entry(META + "Time", Special.TIME),
              Map.entry(META + "MicroTime", Special.MICRO_TIME),
              Map.entry(META + "Duration", Special.DURATION),
              Map.entry("k8s.io.apimachinery.pkg.util.intstr.IntOrString", Special.INT_OR_STRING),
              Map.entry("k8s.io.apimachinery.pkg.runtime.RawExtension", Special.RAW),
              Map.entry(META + "FieldsV1", Special.RAW),
              Map.entry(EXTENSIONS + "JSON", Special.RAW),
              Map.entry(META + "Verbs", Special.STRINGS),
              Map.entry("k8s.io.api.authentication.v1.ExtraValue", Special.STRINGS),
              Map.entry("k8s.io.api.authorization.v1.ExtraValue", Special.STRINGS),
              Map.entry("k8s.io.api.certificates.v1.ExtraValue", Special.STRINGS),
              Map.entry(JSON_SCHEMA + "OrArray", Special.SCHEMA_OR_ARRAY),
              Map.entry(JSON_SCHEMA + "OrBool", Special.SCHEMA_OR_BOOL),
              Map.entry(JSON_SCHEMA + "OrStringArray", Special.SCHEMA_OR_STRINGS)));

  /** Fields that are inlined in JSON. */
  private static final Set<String> INLINED =
      new TreeSet<>(
          Set.of(
              "ConfigMapEnvSource.localObjectReference",
              "ConfigMapKeySelector.localObjectReference",
              "ConfigMapProjection.localObjectReference",
              "ConfigMapVolumeSource.localObjectReference",
              "DeviceAllocationConfiguration.deviceConfiguration",
              "DeviceClaimConfiguration.deviceConfiguration",
              "DeviceClassConfiguration.deviceConfiguration",
              "EphemeralContainer.ephemeralContainerCommon",
              "IngressRule.ingressRuleValue",
              "NamedRuleWithOperations.ruleWithOperations",
              "PersistentVolumeSpec.persistentVolumeSource",
              "Probe.handler",
              "RuleWithOperations.rule",
              "SecretEnvSource.localObjectReference",
              "SecretKeySelector.localObjectReference",
              "SecretProjection.localObjectReference",
              "Volume.volumeSource"));

  private static final SortedMap<String, String> RENAMED =
      new TreeMap<>(
          Map.of(
              "IngressClassParametersReference.aPIGroup", "apiGroup",
              "BoundObjectReference.uID", "uid",
              // The only name that starts with a capital in JSON.
              "DaemonEndpoint.Port", "Port",
              "JSONSchemaProps.schema", "$schema",
              "JSONSchemaProps.ref", "$ref"));
  private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

  private JsonShape() {}

  static Optional<Special> special(Descriptor message) {
    return Optional.ofNullable(SPECIAL.get(message.getFullName()));
  }

  static boolean inlined(FieldDescriptor field) {
    return INLINED.contains(key(field));
  }

  /** Every field that the tables name. */
  static Set<String> fields() {
    var fields = new TreeSet<>(INLINED);
    fields.addAll(RENAMED.keySet());
    return fields;
  }

  static boolean isJsonSchema(Descriptor message) {
    return message.getFullName().equals(JSON_SCHEMA);
  }

  /** The name of a field in JSON. */
  static String name(FieldDescriptor field) {
    String renamed = RENAMED.get(key(field));
    if (renamed != null) {
      return renamed;
    }
    String name = field.getName();
    if (name.startsWith("xKubernetes")) {
      return CAPITAL
          .matcher(name)
          .replaceAll(capital -> "-" + capital.group().toLowerCase(Locale.ROOT));
    }
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  /** The name of a field in the tables of this package: {@code PodSpec.containers}. */
  static String key(FieldDescriptor field) {
    return field.getContainingType().getName() + "." + field.getName();
  }
}
