package dev.sluice.kubernetes.serving;

import dev.sluice.model.ApiObject;
import dev.sluice.model.ResourceKind;
import dev.sluice.runtime.AdmissionHook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The hooks of one kind, and about what the API server must ask them. A webhook costs every write
 * of its kind a round trip, so only what some hook has a say in is registered.
 */
record HookedKind(ResourceKind kind, List<AdmissionHook> hooks) {

  HookedKind {
    hooks = List.copyOf(hooks);
  }

  /** All hooks by kind, in the order of the kinds' names. */
  static List<HookedKind> of(List<AdmissionHook> hooks) {
    Map<String, HookedKind> kinds = new TreeMap<>();
    for (AdmissionHook hook : hooks) {
      kinds.merge(
          hook.kind().qualifiedPlural(),
          new HookedKind(hook.kind(), List.of(hook)),
          HookedKind::joined);
    }
    return List.copyOf(kinds.values());
  }

  private HookedKind joined(HookedKind other) {
    var all = new ArrayList<>(hooks);
    all.addAll(other.hooks);
    return new HookedKind(kind, all);
  }

  String name() {
    return kind.qualifiedPlural();
  }

  /** The operations at which a hook may change the object. */
  List<String> mutatedAt() {
    return operations("onCreate", "onUpdate");
  }

  /** The operations at which a hook may refuse the object. */
  List<String> checkedAt() {
    return operations("checkCreate", "checkUpdate");
  }

  boolean checksStatus() {
    return hasSay("checkStatus", 2);
  }

  private List<String> operations(String onCreate, String onUpdate) {
    var operations = new ArrayList<String>();
    if (hasSay(onCreate, 1)) {
      operations.add("CREATE");
    }
    if (hasSay(onUpdate, 2)) {
      operations.add("UPDATE");
    }
    return operations;
  }

  /** Whether a hook does not leave a method as the interface has it. */
  private boolean hasSay(String method, int objects) {
    Class<?>[] parameters = new Class<?>[objects];
    Arrays.fill(parameters, ApiObject.class);
    return hooks.stream()
        .anyMatch(hook -> {
          try {
            var found = hook.getClass().getMethod(method, parameters);
            return !found.getDeclaringClass().equals(AdmissionHook.class);
          } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("AdmissionHook has no " + method, impossible);
          }
        });
  }
}
